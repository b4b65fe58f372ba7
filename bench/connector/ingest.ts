import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { joinIrc } from '../../tests/harness/irc-client.ts';
import { linesOf } from './corpus.ts';
import type { BenchResult } from './result.ts';
import type { BenchRun } from './run.ts';
import { type BenchStack, startBenchStack } from './stack.ts';

const CHANNEL = '#room';
const LINES = 40_000;
/** Most lines in transit at once: the IRC server drops a bouncer that lets too much data wait. */
const WINDOW_LINES = 3_000;
const FLOOD_DEADLINE_MS = 300_000;
const POLL_MS = 3;

type Place = Pick<BenchRun, 'folder' | 'checkout'>;

/** Measures lines per second into durable storage, from a real IRC server and a real bouncer. */
export async function benchIngest({ folder, scale, checkout }: BenchRun): Promise<BenchResult[]> {
  const lines = Math.round(LINES * scale);
  const live = await liveRate({ folder: join(folder, 'live'), checkout }, lines);
  const { kept, replayed } = await replayRates({ folder: join(folder, 'replayed'), checkout }, lines);
  const goal = '>= 2';
  return [
    { what: 'lines ingested live', unit: '/s', connector: live, peer: kept, goal },
    { what: 'lines ingested after an absence', unit: '/s', connector: replayed, peer: kept, goal },
  ];
}

/** The connector's rate behind a bouncer that keeps messages in memory, so that the bouncer's store is not the limit. */
async function liveRate(place: Place, lines: number): Promise<number> {
  await using stack = await startOnline(place, 'memory');
  return await flood(stack, lines, () => newestId(stack.databaseFile, 'SELECT max(row) AS id FROM entries'));
}

/** The bouncer's own rate while the connector is away, and the connector's when it fetches the same lines. */
async function replayRates(place: Place, lines: number): Promise<{ kept: number; replayed: number }> {
  await using stack = await startOnline(place, 'db');
  await stack.connector?.stop();
  const kept = await flood(stack, lines, () => newestId(stack.sojuFile, 'SELECT max(id) AS id FROM Message'));
  const stored = (): number => newestId(stack.databaseFile, 'SELECT max(row) AS id FROM entries');
  const before = stored();
  await stack.startConnector();
  await waitFor('the first lines are fetched', () => stored() > before);
  const first = { count: stored(), at: performance.now() };
  await waitFor('all lines are fetched', () => stored() >= before + lines, { timeoutMs: FLOOD_DEADLINE_MS });
  return { kept, replayed: ((before + lines - first.count) * 1_000) / (performance.now() - first.at) };
}

async function startOnline(place: Place, messageStore: 'db' | 'memory'): Promise<BenchStack> {
  const stack = await startBenchStack({
    ...place,
    messageStore,
    accounts: [{ login: 'person0', channels: [CHANNEL], isOnline: true }],
  });
  await stack.startConnector();
  using speaker = await joinIrc(stack.ergo, 'early', [CHANNEL]);
  await waitFor('the account is in the channel', () => {
    speaker.send('NAMES', CHANNEL);
    return speaker.lines.some(({ command, params }) => command === '353' && params.at(-1)?.includes('person0'));
  });
  return stack;
}

/** Sends lines and returns the rate per second until the last is stored; at most `WINDOW_LINES` are in transit. */
async function flood(stack: BenchStack, lines: number, newest: () => number): Promise<number> {
  using speaker = await joinIrc(stack.ergo, 'speaker', [CHANNEL]);
  const texts = [...linesOf(0, lines, 0)].map(({ text }) => text);
  // The earlier joins count as lines, too.
  await waitFor('the last line before is stored', () => newest() > 0);
  const before = newest();
  const start = performance.now();
  for (let said = 0; said < lines; ) {
    const room = before + said - newest() < WINDOW_LINES ? Math.min(WINDOW_LINES / 4, lines - said) : 0;
    for (const text of texts.slice(said, said + room)) speaker.say(CHANNEL, text);
    said += room;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await waitFor('the last line is stored', () => newest() >= before + lines, { timeoutMs: FLOOD_DEADLINE_MS });
  return (lines * 1_000) / (performance.now() - start);
}

/** The newest id. The stores assign ids in order, so it counts the lines. */
function newestId(file: string, query: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare(query).get()?.['id'] ?? 0);
  } finally {
    database.close();
  }
}
