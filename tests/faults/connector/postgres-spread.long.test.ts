import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, connected } from '../../harness/person.ts';
import { heardFrom } from '../../harness/sending.ts';
import { type Members, startMembers } from '../../harness/three-processes.ts';

const LOGINS = ['ada', 'eve', 'kim', 'lou', 'max', 'ned'];
const LOST_AFTER_KILL_MS = 120_000;

const test = testWithStack({
  isUnpaced: true,
  config: { settings: { ownerLogins: ['ada'], maxUsers: LOGINS.length } },
});

let bob: IrcClient;
let group: Members;
const agents = new Map<string, Agent>();

test.beforeAll(async () => {
  for (const login of LOGINS) {
    await stack.invite(login);
    const agent = await agentIn(stack, login, ['#room']);
    agents.set(login, agent);
    await agent.call('go_online');
    await connected(agent);
  }
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  group = await startMembers(stack);
}, 300_000);

afterAll(async () => {
  bob?.[Symbol.dispose]();
  for (const part of [...agents.values(), group]) await part?.[Symbol.asyncDispose]();
});

const slotsOfEach = async (): Promise<number[]> =>
  (await shares()).map(({ process_id: id, slots }) => (id === null ? -slots : slots)).toSorted((a, b) => a - b);

const isSpread = async (): Promise<boolean> => JSON.stringify(await slotsOfEach()) === '[21,21,22]';

const processNames = (database: Knex): Promise<string[]> => database('processes').pluck('name');

const REPEATED_MS = 500;

let round = 0;

test('three processes act for 21 or 22 of the 64 slots each, and hand accounts over without a JOIN or QUIT', async () => {
  await waitFor('the slots are spread', isSpread);

  expect((await shares()).every(({ accounts }) => accounts > 0)).toBe(true);
  await allHearAndSpeak();
  expect(movements()).toEqual([]);
});

test(
  'the accounts of a process that is killed go on at another one, and none leaves IRC',
  async () => {
    const [, killed] = group.members;

    killed?.process.kill('SIGKILL');
    await killed?.process.ended;
    await waitFor('two processes have its slots', async () => JSON.stringify(await slotsOfEach()) === '[32,32]');
    await killed?.restart();
    await waitFor('the slots are spread again', isSpread);

    await allHearAndSpeak();
    expect(movements()).toEqual([]);
  },
  LOST_AFTER_KILL_MS,
);

test(
  'the accounts of a process that is killed go on as soon as it is started again, which shows its end also where it still seems to live',
  async () => {
    const [, , killed] = group.members;
    const database = stack.database.connect();
    const before = await processNames(database);
    killed?.process.kill('SIGKILL');
    await killed?.process.ended;
    const name = `process ${killed?.process.pid} `;
    expect(before.filter((each) => each.startsWith(name))).toHaveLength(1);
    // No other process can take it for dead.
    const seemsToLive = repeatedly(async () => {
      await database.raw(
        'UPDATE processes SET seen_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE name LIKE ?',
        [`${name}%`],
      );
    });

    try {
      await killed?.restart();
      await waitFor('the slots are spread again', isSpread);
      expect((await processNames(database)).filter((each) => each.startsWith(name))).toEqual([]);
    } finally {
      await seemsToLive.end();
      await database.destroy();
    }

    await allHearAndSpeak();
    expect(movements()).toEqual([]);
  },
  LOST_AFTER_KILL_MS,
);

test('each process restarted in turn, the one that has the database first, leaves no account without a session', async () => {
  for (const member of group.members) {
    await member.restart();
    await allHearAndSpeak();
  }
  await waitFor('the slots are spread again', isSpread);

  expect(movements()).toEqual([]);
});

/** Slots and accounts that each process acts for. */
async function shares(): Promise<SlotRow[]> {
  const database = stack.database.connect();
  try {
    const { rows } = (await database.raw(
      `SELECT process_id, count(*)::int AS slots, sum((SELECT count(*) FROM accounts WHERE accounts.slot = account_slots.slot))::int AS accounts
       FROM account_slots GROUP BY process_id ORDER BY process_id`,
    )) as { rows: SlotRow[] };
    return rows;
  } finally {
    await database.destroy();
  }
}

/** Does it again and again, until its end. */
function repeatedly(work: () => Promise<void>): { end(): Promise<void> } {
  const ends = new AbortController();
  const done = (async () => {
    while (!ends.signal.aborted) {
      await work();
      await delay(REPEATED_MS, undefined, { signal: ends.signal }).catch(() => undefined);
    }
  })();
  return {
    end: async () => {
      ends.abort();
      await done;
    },
  };
}

/** Each account hears a line, and says one, through each process. */
async function allHearAndSpeak(): Promise<void> {
  round += 1;
  const text = `round ${round}`;
  bob.say('#room', text);
  for (const [n, [login, agent]] of [...agents].entries()) {
    for (const member of group.members) {
      await waitFor(`${login} hears ${text}`, async () => {
        const history = { channel: '#room', mode: 'recent', limit: 20 };
        const { entries } = await toolsAt(member, agent)('read_history', history).catch(() => ({ entries: [] }));
        return (entries as { text: string }[]).filter((entry) => entry.text === text).length === 1;
      });
    }
    const said = `${login} in ${text}`;
    const at = group.members[n % group.members.length];
    if (at === undefined) throw new Error('there are no members');
    await toolsAt(at, agent)('send_message', {
      channel: '#room',
      text: said,
      idempotency_key: said.replaceAll(' ', '-'),
    });
    await waitFor(`bob hears ${said}`, () => heardFrom(bob, login).includes(said));
    expect(heardFrom(bob, login).filter((heard) => heard === said)).toHaveLength(1);
  }
}

interface SlotRow {
  process_id: string | null;
  slots: number;
  accounts: number;
}

/** Words of other people that came and went in the room. */
function movements(): string[] {
  return bob.lines
    .filter(({ command }) => ['JOIN', 'QUIT', 'PART', 'NICK'].includes(command))
    .map(({ command, sender }) => `${sender} ${command}`)
    .filter((word) => !word.startsWith('bob '));
}
