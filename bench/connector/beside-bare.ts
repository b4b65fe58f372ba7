import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { bundleOptions } from '../../scripts/build/bundle-options.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { type Call, type CallAnswer, ToolClient } from './client.ts';
import type { Contest, ContestResult, Door } from './rounds.ts';

const CONTEST_DEADLINE_MS = 300_000;

/**
 * Compares calls at the connector and at a bare server with the same answers, once for each number of clients. Calls of
 * one tool get the same answer there.
 */
export async function compareToBare(
  folder: string,
  connector: Door,
  calls: readonly Call[],
  clientCounts: readonly number[],
): Promise<ContestResult[]> {
  const { port, stop } = await startBareServer(folder, await answersTo(connector, calls));
  const bare = { baseUrl: `http://127.0.0.1:${port}`, token: 'any' };
  try {
    const results: ContestResult[] = [];
    const sides = { connector: { door: connector, calls }, bare: { door: bare, calls } };
    for (const clients of clientCounts) results.push(await playInOwnProcess({ ...sides, clients }));
    return results;
  } finally {
    await stop();
  }
}

async function answersTo({ baseUrl, token }: Door, calls: readonly Call[]): Promise<Record<string, CallAnswer>> {
  const client = new ToolClient(baseUrl, token);
  try {
    const answers: Record<string, CallAnswer> = {};
    for (const call of calls) answers[call.tool] = await client.call(call);
    return answers;
  } finally {
    client.close();
  }
}

async function playInOwnProcess(contest: Contest): Promise<ContestResult> {
  const caller = ['bench/connector/caller.ts', JSON.stringify(contest)];
  const { stdout } = await execa(process.execPath, caller, { timeout: CONTEST_DEADLINE_MS });
  return JSON.parse(stdout) as ContestResult;
}

async function startBareServer(folder: string, answers: Record<string, CallAnswer>) {
  const [outfile, answersFile, port] = [join(folder, 'bare.mjs'), join(folder, 'answers.json'), await freePort()];
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  const entryPoints = ['bench/connector/bare-server.ts'];
  await build({ ...bundleOptions, entryPoints, outfile, format: 'esm', banner });
  writeFileSync(answersFile, JSON.stringify(answers));
  const process_ = startProcess({ name: 'bare', command: [process.execPath, outfile, String(port), answersFile] });
  const answersAtAll = async () => (await fetch(`http://127.0.0.1:${port}/mcp`)).status > 0;
  await waitFor('the bare server answers', answersAtAll, { process: process_ });
  return { port, stop: () => process_.stop() };
}
