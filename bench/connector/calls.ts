import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../scripts/build/bundle-options.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { quantile } from '../quantile.ts';
import { type Call, type CallAnswer, type Times, ToolClient, timesOf } from './client.ts';
import type { BenchStack } from './stack.ts';

const ROUNDS = 6;
const CALLS_PER_ROUND = 1_200;
/** Agents at once: enough that the server is never idle. */
const CONNECTIONS = 8;

export interface CallFigures extends Times {
  perSecond: number;
}

/** Unread entries that an agent finds when it follows a channel. */
const UNREAD = 20;

/** Every tool that changes nothing on IRC, in turn, with the arguments of an agent that follows a channel. */
async function journey(client: ToolClient, channel: string): Promise<Call[]> {
  const about = await client.call({ tool: 'see_account_information', args: {} });
  const session = String(about.structuredContent['sessionId']);
  const acknowledged = await followUp(client, channel, session);
  const sent = await client.call({ tool: 'send_message', args: { channel, text: 'hello from the benchmark' } });
  return [
    { tool: 'see_account_information', args: { session_id: session } },
    { tool: 'read_history', args: { channel, mode: 'unread', session_id: session, limit: UNREAD } },
    { tool: 'ack_messages', args: { session_id: session, channel, entry_id: acknowledged } },
    { tool: 'read_history', args: { channel, mode: 'recent', limit: UNREAD } },
    { tool: 'search_history', args: { channel, phrase: 'of the', limit: UNREAD } },
    { tool: 'get_message_status', args: { message_id: String(sent.structuredContent['messageId']) } },
  ];
}

/** Reads and acknowledges all but the last page; returns the last acknowledged entry. */
async function followUp(client: ToolClient, channel: string, session: string): Promise<string> {
  for (let last = ''; ; ) {
    const unread = { channel, mode: 'unread', session_id: session, limit: 200 };
    const { structuredContent } = await client.call({ tool: 'read_history', args: unread });
    const { entries, hasMore } = structuredContent as { entries: { entryId: string }[]; hasMore: boolean };
    const upTo = hasMore ? entries.at(-1) : entries.at(-1 - UNREAD);
    last = upTo?.entryId ?? last;
    await client.call({ tool: 'ack_messages', args: { session_id: session, channel, entry_id: last } });
    if (!hasMore) return last;
  }
}

/** Calls per second of both, in turns. */
export async function compareCalls(
  stack: BenchStack,
  token: string,
  { folder, channel }: { folder: string; channel: string },
): Promise<{ connector: CallFigures; bare: CallFigures }> {
  const ours = new ToolClient(stack.baseUrl, token, CONNECTIONS);
  const calls = await journey(ours, channel);
  const answers: Record<string, CallAnswer> = {};
  for (const call of calls) answers[call.tool] = await ours.call(call);
  const { port, stop } = await startBareServer(folder, answers);
  const theirs = new ToolClient(`http://127.0.0.1:${port}`, 'any', CONNECTIONS);
  try {
    const [connector, bare]: [Round[], Round[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const both = [await playRound(ours, calls), await playRound(theirs, calls)] as const;
      // The first round only warms up the compilers.
      if (round === 0) continue;
      connector.push(both[0]);
      bare.push(both[1]);
    }
    return { connector: figuresOf(connector), bare: figuresOf(bare) };
  } finally {
    ours.close();
    theirs.close();
    await stop();
  }
}

interface Round {
  seconds: number;
  latenciesMs: number[];
}

async function playRound(client: ToolClient, calls: readonly Call[]): Promise<Round> {
  const latenciesMs: number[] = [];
  let next = 0;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (next < CALLS_PER_ROUND) {
      const call = calls[next % calls.length] as Call;
      next += 1;
      latenciesMs.push(await client.time(call));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return { seconds: (performance.now() - start) / 1_000, latenciesMs };
}

function figuresOf(rounds: readonly Round[]): CallFigures {
  const rates = rounds.map(({ seconds, latenciesMs }) => latenciesMs.length / seconds);
  return { perSecond: quantile(rates, 0.5), ...timesOf(rounds.flatMap(({ latenciesMs }) => latenciesMs)) };
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
