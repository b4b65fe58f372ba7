import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Agent } from './agent.ts';
import { postMcp } from './oauth-client.ts';
import { type ConnectorStack, connectorCommand, writeConfig } from './start-connector.ts';

/** One of several connector processes on one database. */
export interface Beside {
  /** Port on which it listens; tokens are those of the stack's `baseUrl`. */
  port: number;
  /** Port on which it shows its metrics without a token. */
  metricsPort: number;
  process: ManagedProcess;
}

/**
 * Starts a process beside that of the stack, with its configuration and keys but ports and a state directory of its own.
 * It waits as a standby, unless `change` says otherwise.
 */
export async function startBeside(
  stack: ConnectorStack,
  change: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<Beside> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const folder = join(stack.folder, `beside-${port}`);
  const stateDirectory = join(folder, 'state');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  await copyFile(join(stack.folder, 'state', 'keys.json'), join(stateDirectory, 'keys.json'));
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as Configured;
  const { postgres } = (change['database'] ?? config.database) as Configured['database'];
  const database = postgres === undefined ? {} : { database: { postgres: { standby: true, ...postgres } } };
  const own = { stateDirectory, listen: { ...config.listen, port }, metricsListen: { port: metricsPort } };
  const file = await writeConfig(folder, { ...config, ...own, ...change, ...database });
  const process = startProcess({ name: `connector at ${port}`, command: connectorCommand(file), env });
  await waitFor('the process beside answers', async () => (await healthOf({ port })) !== undefined, { process });
  return { port, metricsPort, process };
}

interface Configured {
  listen: Record<string, unknown>;
  database: { postgres?: Record<string, unknown> };
}

/** The configuration of a process that serves beside another one. */
export const servingConfig = (stack: ConnectorStack, postgres: Record<string, unknown> = {}) => ({
  database: { postgres: { ...stack.database.config.postgres, ...postgres, standby: false } },
});

/**
 * Starts a process that serves beside that of the stack.
 * @param postgres options of its database that differ from those of the stack
 */
export async function startServingBeside(
  stack: ConnectorStack,
  postgres: Record<string, unknown> = {},
  change: Record<string, unknown> = {},
): Promise<Beside> {
  const beside = await startBeside(stack, { ...change, ...servingConfig(stack, postgres) });
  await serves(beside);
  return beside;
}

/** Returns the answer to a balancer's health check; undefined if the process does not answer. */
export async function healthOf({ port }: Pick<Beside, 'port'>): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

/** Resolves when the process serves. */
export const serves = (beside: Pick<Beside, 'port' | 'process'>): Promise<unknown> =>
  waitFor('it serves', async () => (await healthOf(beside))?.status === 200, { process: beside.process });

/** Calls tools at one process, with the token of an agent. The result throws Error with the tool's own words when it refused. */
export function toolsAt(
  { port }: Pick<Beside, 'port'>,
  { accessToken }: Pick<Agent, 'accessToken'>,
): (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>> {
  return async (tool, args = {}) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'mcp-protocol-version': '2025-06-18' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
    const answer = await postMcp({ baseUrl: `http://127.0.0.1:${port}` }, message, headers);
    const { result, error } = (await answer.json()) as { result?: ToolResult; error?: { message: string } };
    if (result === undefined) throw new Error(error?.message ?? `status ${answer.status}`);
    if (result.isError === true) throw new Error(result.content[0]?.text ?? 'refused');
    return result.structuredContent ?? {};
  };
}

interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}
