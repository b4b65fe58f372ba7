import { join } from 'node:path';
import { execa } from 'execa';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { connectAgent } from '../../tests/harness/agent.ts';
import { compareToBare } from './beside-bare.ts';
import { linesOf } from './corpus.ts';
import { journey } from './journey.ts';
import { loadEntries, loadMessages } from './load.ts';
import type { Reading, Readings, Sides } from './reading.ts';
import type { BenchResult } from './result.ts';
import type { BenchRun } from './run.ts';
import { type BenchStack, startBenchStack } from './stack.ts';

const ACCOUNTS = 5;
const LINES_PER_ACCOUNT = 200_000;
const CHANNEL = '#room';
/** Agents at once: enough that the server is never idle. */
const AGENTS = 8;
/** Age of the newest line, older than any line that is replayed after an absence. */
const NEWEST_AGE_MS = 60 * 60 * 1_000;
const COMMAND_DEADLINE_MS = 10_000;
const INDEX_DEADLINE_MS = 300_000;
const READING_DEADLINE_MS = 300_000;
/** Name of the reader at soju, who has the lines of the first account. */
const SOJU_READER = { user: 'reader0', password: 'secret' };

/** Measures tool calls, history and search, with a million entries in the connector's store and in soju's. */
export async function benchServing({ folder, scale, checkout }: BenchRun): Promise<BenchResult[]> {
  const logins = Array.from({ length: ACCOUNTS }, (_, index) => `person${index}`);
  await using stack = await startBenchStack({
    folder,
    checkout,
    accounts: logins.map((login) => ({ login, channels: [CHANNEL], isOnline: false })),
  });
  await loadBoth(stack, folder, Math.round(LINES_PER_ACCOUNT * scale));
  await stack.startConnector();
  await waitFor('the texts are indexed', async () => (await stack.metric(BACKLOG)) === 0, {
    timeoutMs: INDEX_DEADLINE_MS,
  });
  await using agent = await connectAgent(stack, logins[0] ?? '');
  const token = agent.accessToken;
  const sides = { baseUrl: stack.baseUrl, token, channel: CHANNEL };
  const { history, searches } = await readInOwnProcess({
    ...sides,
    soju: { address: stack.soju.address, ...SOJU_READER },
  });
  await agent.call('go_online');
  const door = { baseUrl: stack.baseUrl, token };
  const calls = await journey(door, CHANNEL);
  const contests = await compareToBare(join(folder, 'bare'), door, calls, [AGENTS]);
  return [
    ...contests.flatMap(({ connector, bare }) => [
      {
        what: 'tool calls, to a bare SDK server',
        unit: '/s',
        connector: connector.perSecond,
        peer: bare.perSecond,
        goal: '>= 0.5',
      },
      ...timesRows('tool call', { connector, soju: bare }, ''),
    ]),
    ...timesRows('read_history, to CHATHISTORY', history, 'p99 <= 5 ms'),
    ...Object.entries(searches).flatMap(([name, reading]) =>
      timesRows(`search, ${name}, found ${reading.found.join(' and ')}`, reading, '<= 1'),
    ),
  ];
}

async function readInOwnProcess(sides: Sides): Promise<Readings> {
  const reader = ['bench/connector/reader.ts', JSON.stringify(sides)];
  const { stdout } = await execa(process.execPath, reader, { timeout: READING_DEADLINE_MS });
  return JSON.parse(stdout) as Readings;
}

const BACKLOG = 'homeport_connector_search_backlog_entries';

function timesRows(what: string, { connector, soju }: Reading, goal: string): BenchResult[] {
  return [
    { what: `${what}, p50`, unit: 'ms', connector: connector.p50Ms, peer: soju.p50Ms, goal },
    { what: `${what}, p99`, unit: 'ms', connector: connector.p99Ms, peer: soju.p99Ms, goal },
  ];
}

async function loadBoth(stack: BenchStack, folder: string, lines: number): Promise<void> {
  const sojuctl = (...words: string[]) =>
    execa('sojuctl', ['-config', join(folder, 'soju', 'soju.conf'), ...words], { timeout: COMMAND_DEADLINE_MS });
  const users = stack.accountIds.map((_, index) => `reader${index}`);
  for (const user of users) {
    await sojuctl('user', 'create', '-username', user, '-password', SOJU_READER.password);
    await sojuctl(
      'user',
      'run',
      user,
      'network',
      'create',
      '-name',
      'main',
      '-addr',
      'irc+insecure://127.0.0.1:1',
      '-enabled',
      'false',
    );
  }
  await stack.soju.process.stop();
  const now = Date.now() - NEWEST_AGE_MS;
  for (const [index, id] of stack.accountIds.entries()) {
    loadEntries(stack.databaseFile, { id, channel: CHANNEL }, linesOf(index, lines, now));
    loadMessages(stack.sojuFile, { name: users[index] ?? '', channel: CHANNEL }, linesOf(index, lines, now));
  }
  await stack.restartSoju();
}
