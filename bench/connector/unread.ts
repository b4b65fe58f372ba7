import { join } from 'node:path';
import type { ManagedProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { connectAgent } from '../../tests/harness/agent.ts';
import { compareToBare } from './beside-bare.ts';
import { type Call, ToolClient } from './client.ts';
import { linesOf, PHRASES } from './corpus.ts';
import { loadEntries } from './load.ts';
import type { BenchResult } from './result.ts';
import type { CallFigures, ContestResult, Door } from './rounds.ts';
import type { BenchRun } from './run.ts';
import { type BenchStack, startBenchStack } from './stack.ts';

const LOGIN = 'person0';
const CHANNEL = '#room';
const LINES = 200_000;
/** Age of the newest line, older than any line that is replayed after an absence. */
const NEWEST_AGE_MS = 60 * 60 * 1_000;
const INDEX_DEADLINE_MS = 300_000;
/** Agents at once: enough that the server is never idle. */
const MANY = 8;

export interface Row {
  what: string;
  call: Call;
  /** Goal for the rate of eight agents at once, as a ratio to the bare server. */
  rateGoal: string;
  /** Goals for the times of one agent alone. */
  timeGoals: { p50: string; p99: string };
}

/** Measures the calls of an agent that has never acknowledged an entry, one kind of call at a time. */
export async function benchUnread(run: BenchRun): Promise<BenchResult[]> {
  await using unread = await prepareUnread(run);
  const results: BenchResult[] = [];
  for (const row of unread.rows) {
    const [many, one] = await compareToBare(join(run.folder, 'bare'), unread.door, [row.call], [MANY, 1]);
    if (many !== undefined && one !== undefined) results.push(...resultsOf(row, many, one));
  }
  return results;
}

/** A connector whose only account has many unread entries, with the calls to measure there. */
export interface Unread extends AsyncDisposable {
  door: Door;
  rows: readonly Row[];
  /** Process id of the connector. */
  pid: number;
}

export async function prepareUnread({ folder, scale, checkout }: BenchRun): Promise<Unread> {
  const accounts = [{ login: LOGIN, channels: [CHANNEL], isOnline: true }];
  const stack = await startBenchStack({ folder, checkout, accounts });
  try {
    const lines = Math.round(LINES * scale);
    const account = { id: stack.accountIds[0] ?? '', channel: CHANNEL };
    loadEntries(stack.databaseFile, account, linesOf(0, lines, Date.now() - NEWEST_AGE_MS));
    await startIndexed(stack);
    const door = { baseUrl: stack.baseUrl, token: await tokenOf(stack) };
    const session = await beginSession(door);
    // The connector is restarted, so that the benchmark does not profit from what it has cached about these lines.
    await stack.connector?.stop();
    const { pid } = await startIndexed(stack);
    await awaitUnread(door, session, lines);
    return { door, pid, rows: rowsOf(session, lines), [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

function rowsOf(session: string, lines: number): Row[] {
  const none = { p50: '', p99: '' };
  return [
    {
      what: `account information, ${lines} unread`,
      call: { tool: 'see_account_information', args: { session_id: session } },
      rateGoal: '>= 0.5',
      timeGoals: none,
    },
    {
      what: 'read_history, unread',
      call: { tool: 'read_history', args: { channel: CHANNEL, mode: 'unread', session_id: session } },
      rateGoal: '>= 0.5',
      timeGoals: { p50: '', p99: '<= 5 ms' },
    },
    {
      what: 'read_history, recent',
      call: { tool: 'read_history', args: { channel: CHANNEL, mode: 'recent' } },
      rateGoal: '',
      timeGoals: { p50: '', p99: '<= 5 ms' },
    },
    { what: 'the same key sent again', call: sendAgain(session), rateGoal: '>= 0.5', timeGoals: none },
    {
      what: 'search, a phrase of most lines',
      call: { tool: 'search_history', args: { phrase: PHRASES['three characters, in most lines'] } },
      rateGoal: '',
      timeGoals: { p50: '<= 10 ms', p99: '' },
    },
  ];
}

const sendAgain = (session: string): Call => ({
  tool: 'send_message',
  args: { channel: CHANNEL, text: 'said once', idempotency_key: 'the-same-key', session_id: session },
});

function resultsOf({ what, rateGoal, timeGoals }: Row, many: ContestResult, one: ContestResult): BenchResult[] {
  const result = (title: string, unit: string, { connector, bare }: ContestResult, figure: keyof CallFigures) => ({
    what: `${what}, ${title}`,
    unit,
    connector: connector[figure],
    peer: bare[figure],
  });
  return [
    { ...result(`${MANY} agents`, '/s', many, 'perSecond'), goal: rateGoal },
    { ...result('one agent, p50', 'ms', one, 'p50Ms'), goal: timeGoals.p50 },
    { ...result('one agent, p99', 'ms', one, 'p99Ms'), goal: timeGoals.p99 },
  ];
}

async function startIndexed(stack: BenchStack): Promise<ManagedProcess> {
  const connector = await stack.startConnector();
  const backlog = (): Promise<number> => stack.metric('homeport_connector_search_backlog_entries');
  await waitFor('the texts are indexed', async () => (await backlog()) === 0, { timeoutMs: INDEX_DEADLINE_MS });
  return connector;
}

async function tokenOf(stack: BenchStack): Promise<string> {
  await using agent = await connectAgent(stack, LOGIN);
  return agent.accessToken;
}

/** A session that has been given its first entries. */
async function beginSession({ baseUrl, token }: Door): Promise<string> {
  const client = new ToolClient(baseUrl, token);
  try {
    const about = await client.call({ tool: 'see_account_information', args: {} });
    const session = String(about.structuredContent['sessionId']);
    await client.call({ tool: 'read_history', args: { channel: CHANNEL, mode: 'unread', session_id: session } });
    return session;
  } finally {
    client.close();
  }
}

/** Waits until the account is in its channel and the message is said that is then sent again and again. */
async function awaitUnread({ baseUrl, token }: Door, session: string, lines: number): Promise<void> {
  const client = new ToolClient(baseUrl, token);
  try {
    await waitFor('the account is in its channel with everything unread', async () => {
      const about = await client.call({ tool: 'see_account_information', args: { session_id: session } });
      const [room] = about.structuredContent['channels'] as { joined: boolean; unreadCount: number }[];
      return room?.joined === true && room.unreadCount >= lines;
    });
    await waitFor('the message is said', async () => {
      const { structuredContent } = await client.call(sendAgain(session));
      return structuredContent['status'] === 'echoed';
    });
  } finally {
    client.close();
  }
}
