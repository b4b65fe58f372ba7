/**
 * main.ts connector-processes [--json] [--calls 300] [--rounds 3] [--rate-seconds 4]
 * Serves one account by one, two and three connectors on one PostgreSQL, gives each call to the next of them, and prints
 * the time of processors that a call takes: of all connectors together, and of PostgreSQL. Medians of the rounds, and
 * their ratios to one process. What the connectors do without calls, such as heartbeats, is subtracted. It prints as well
 * how many calls a second are answered while twelve are always under way. This program, PostgreSQL, soju and the IRC
 * server have the same processors as the connectors: on a machine of a few, the rate says what that machine can do, and
 * not what several machines could.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Postgres, startPostgres } from '../../scripts/stack/postgres.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Agent } from '../../tests/harness/agent.ts';
import { askByAgent, type Caller, callerBy } from '../../tests/harness/busy-clients.ts';
import { type IrcClient, joinIrc } from '../../tests/harness/irc-client.ts';
import { agentIn, connected } from '../../tests/harness/person.ts';
import { processorMsOf } from '../../tests/harness/processor-time.ts';
import { type ConnectorStack, startConnectorStack } from '../../tests/harness/start-connector.ts';
import { tempFolder } from '../../tests/harness/temp-folder.ts';
import { ownServerDatabase } from '../../tests/harness/test-database.ts';
import { startMembers } from '../../tests/harness/three-processes.ts';
import { quantile } from '../quantile.ts';

const NUMBERS = [1, 2, 3];
const CHANNEL = '#room';
const WARM_UP_CALLS = 60;
const PAGE = 200;
/** Time in which the connectors get no call. */
const IDLE_MS = 4_000;
/** Calls under way at any time while calls a second are counted: more than two processors can work on. */
const AT_ONCE = 12;
const SECOND_MS = 1_000;
const MIDDLE = 0.5;

/** Milliseconds of processors. */
interface Cost {
  connectors: number;
  postgres: number;
}

interface Kind {
  what: string;
  call(caller: Caller): Promise<unknown>;
}

/** What calls of one kind cost, and how many are answered in a second. */
interface Measured extends Cost {
  rate: number;
}

interface Row {
  what: string;
  /** By the number of processes, one first. */
  costs: readonly Measured[];
}

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    calls: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    'rate-seconds': { type: 'string', default: '4' },
  },
  allowPositionals: true,
});
const calls = Number(options.calls);

/** Time of the server's processes; its parent has that of those that have ended. */
function postgresMs({ process: { pid } }: Postgres): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(name)[1] === String(pid));
  const ended = 10 * (Number(fieldsOf(String(pid))[13]) + Number(fieldsOf(String(pid))[14]));
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + processorMsOf(each), ended);
}

/** Fields of proc_pid_stat(5) from the third on; none of a process that has just ended. */
function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** The calls of an agent; `session` is its cursor, which stands before all that bob has said. */
function kindsOf(session: string): Kind[] {
  let sent = 0;
  const place = { channel: CHANNEL, session_id: session };
  const unread: { entryId: string }[] = [];
  /** The newest acknowledged one; when all are, it is acknowledged again. */
  let acknowledged: string | undefined;
  let hasMore = true;
  return [
    {
      what: 'account information',
      call: (caller) => caller.tool('see_account_information', { session_id: session }),
    },
    {
      what: 'read_history, unread',
      call: (caller) =>
        caller.tool('read_history', { channel: CHANNEL, mode: 'unread', session_id: session, limit: 50 }),
    },
    { what: 'REST, 50 messages', call: (caller) => caller.get('/v1/channels/room/messages?limit=50') },
    {
      what: 'send_message',
      call: (caller) => {
        sent += 1;
        return caller.tool('send_message', { channel: CHANNEL, text: `text ${sent}` });
      },
    },
    {
      what: 'ack_messages',
      call: async (caller) => {
        // One read for two hundred acknowledgements.
        if (unread.length === 0 && hasMore) {
          const page = await caller.tool('read_history', { ...place, mode: 'unread', limit: PAGE });
          unread.push(...(page['entries'] as { entryId: string }[]));
          hasMore = unread.length > 0;
        }
        acknowledged = unread.shift()?.entryId ?? acknowledged;
        return caller.tool('ack_messages', { ...place, entry_id: acknowledged });
      },
    },
  ];
}

interface Setting {
  stack: ConnectorStack;
  server: Postgres;
  ada: Agent;
  bob: IrcClient;
}

/** Costs and rate of each kind of call, with this many processes. */
async function measure({ stack, server, ada, bob }: Setting, number: number): Promise<Map<string, Measured>> {
  await using group = await startMembers(stack, number);
  const callers = group.members.map(({ port }) => callerBy(askByAgent(`http://127.0.0.1:${port}`), ada.accessToken));
  const [first] = callers;
  if (first === undefined) throw new Error('no process serves');
  const informed = async () => first.tool('see_account_information');
  await waitFor('the account is attached', async () => (await informed())['upstreamConnected'] === true);
  const session = String((await informed())['sessionId']);
  const marks = Array.from({ length: WARM_UP_CALLS + calls }, (_, n) => `line ${number} ${performance.now()} ${n}`);
  for (const mark of marks) bob.say(CHANNEL, mark);
  await waitFor('bob’s lines are stored', async () => {
    const { entries } = await first.tool('read_history', { channel: CHANNEL, mode: 'recent', limit: 1 });
    return (entries as { text: string }[])[0]?.text === marks.at(-1);
  });
  const now = (): Cost => ({
    connectors: group.members.reduce((sum, { process }) => sum + processorMsOf(process.pid), 0),
    postgres: postgresMs(server),
  });
  const idle = await costOf(now, () => delay(IDLE_MS));
  const costs = new Map<string, Measured>();
  for (const { what, call } of kindsOf(session)) {
    let turn = 0;
    const callNext = (): Promise<unknown> => {
      turn += 1;
      return call(callers[turn % callers.length] ?? first);
    };
    const times = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await callNext();
    };
    await times(WARM_UP_CALLS);
    const beganAt = performance.now();
    const cost = await costOf(now, () => times(calls));
    const idleShare = (performance.now() - beganAt) / IDLE_MS;
    costs.set(what, {
      connectors: (cost.connectors - idleShare * idle.connectors) / calls,
      postgres: (cost.postgres - idleShare * idle.postgres) / calls,
      rate: await rateOf(callNext),
    });
  }
  return costs;
}

/** Calls that are answered in a second. */
async function rateOf(callNext: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  const until = beganAt + SECOND_MS * Number(options['rate-seconds']);
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      await callNext();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return (SECOND_MS * count) / (performance.now() - beganAt);
}

async function costOf(now: () => Cost, work: () => Promise<unknown>): Promise<Cost> {
  const before = now();
  await work();
  const after = now();
  return { connectors: after.connectors - before.connectors, postgres: after.postgres - before.postgres };
}

async function compare(): Promise<Row[]> {
  await using folder = await tempFolder();
  const server = await startPostgres({ folder: folder.path });
  await using stack = await startConnectorStack({ database: ownServerDatabase(server), isUnpaced: true });
  await using ada = await agentIn(stack, 'ada', [CHANNEL]);
  await ada.call('go_online');
  await connected(ada);
  using bob = await joinIrc(stack.ergo, 'bob', [CHANNEL]);
  const seen = NUMBERS.map((): Map<string, Measured>[] => []);
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    for (const [at, number] of NUMBERS.entries()) {
      console.error(`round ${round} of ${options.rounds}: ${number} at work`);
      seen[at]?.push(await measure({ stack, server, ada, bob }, number));
    }
  }
  await server.stop();
  const kinds = [...(seen[0]?.[0]?.keys() ?? [])];
  return kinds.map((what) => ({ what, costs: seen.map((rounds) => medianOf(rounds.map((each) => each.get(what)))) }));
}

function medianOf(costs: readonly (Measured | undefined)[]): Measured {
  const middle = (of: (cost: Measured) => number): number =>
    quantile(
      costs.flatMap((cost) => (cost === undefined ? [] : [of(cost)])),
      MIDDLE,
    );
  return {
    connectors: middle(({ connectors }) => connectors),
    postgres: middle(({ postgres }) => postgres),
    rate: middle(({ rate }) => rate),
  };
}

function print(rows: readonly Row[]): void {
  console.log('ms of processors a call     connectors with 1, 2, 3      ratio    PostgreSQL with 1, 2, 3      ratio');
  for (const { what, costs } of rows) {
    const cells = (['connectors', 'postgres'] as const).map((of) => {
      const values = costs.map((cost) => cost[of]);
      const [one = Number.NaN] = values;
      const ratios = values.slice(1).map((value) => (value / one).toFixed(2));
      return `${values.map((value) => value.toFixed(2).padStart(7)).join('')}   ${ratios.join(' ')}`.padStart(34);
    });
    console.log(`${what.padEnd(22)}${cells.join('')}`);
  }
  console.log(`calls a second, ${AT_ONCE} under way          with 1, 2, 3`);
  for (const { what, costs } of rows) {
    console.log(`${what.padEnd(22)}${costs.map(({ rate }) => rate.toFixed(0).padStart(7)).join('')}`);
  }
}

const rows = await compare();
if (options.json) console.log(JSON.stringify({ program: 'connector-processes', calls, rows }, null, 2));
else print(rows);
