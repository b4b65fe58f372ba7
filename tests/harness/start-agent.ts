import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';

export const AGENT_TOKEN = 'a-token.of~the+test/0123456789==';

/** The agent's own command line. */
export const agentCommand = (...words: string[]): [string, ...string[]] => ['bin/homeport-agent', ...words];

/** Runs the agent with these words to its end, however it ends. */
export async function runToEnd(
  ...words: string[]
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const [program, ...args] = agentCommand(...words);
  const { exitCode, stdout, stderr } = await execa(program, args, { reject: false, timeout: 120_000 });
  return { exitCode, stdout, stderr };
}

export interface AgentFiles extends Disposable {
  directory: string;
  configFile: string;
  tokenFile: string;
}

/** A configuration file and its token file in a new private folder. */
export function writeAgentFiles(port: number, token: string = `${AGENT_TOKEN}\n`): AgentFiles {
  const directory = mkdtempSync(join(tmpdir(), 'homeport-agent-'));
  const [configFile, tokenFile] = [join(directory, 'agent.json'), join(directory, 'token')];
  writeFileSync(tokenFile, token, { mode: 0o600 });
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, listen: { port } } }));
  return {
    directory,
    configFile,
    tokenFile,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export interface RunningAgent extends AsyncDisposable {
  baseUrl: string;
  process: ManagedProcess;
  /** A request with the token; `init` wins. */
  get(path: string, init?: RequestInit): Promise<Response>;
}

/** Starts the agent on a free loopback port and waits until it answers. */
export function startAgent(...options: string[]): Promise<RunningAgent> {
  return runAgent({ options });
}

export interface AgentSettings {
  options: readonly string[];
  /** Members of the configuration's `agent` beside token file and port. */
  agent?: object;
  env?: Record<string, string>;
}

/** `startAgent` for agents that are not the usual one. */
export async function runAgent({ options, agent: settings = {}, env }: AgentSettings): Promise<RunningAgent> {
  const port = await freePort();
  const files = writeAgentFiles(port);
  const { tokenFile } = files;
  writeFileSync(files.configFile, JSON.stringify({ agent: { tokenFile, listen: { port }, ...settings } }));
  const agent = startProcess({
    name: 'homeport-agent',
    command: agentCommand('run', '--config', files.configFile, ...options),
    ...(env === undefined ? {} : { env }),
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const dispose = async (): Promise<void> => {
    await agent.stop();
    files[Symbol.dispose]();
  };
  try {
    await waitFor('the agent answers', async () => (await fetch(`${baseUrl}/healthz`)).ok, { process: agent });
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    baseUrl,
    process: agent,
    get: (path, init) => fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${AGENT_TOKEN}` }, ...init }),
    [Symbol.asyncDispose]: dispose,
  };
}
