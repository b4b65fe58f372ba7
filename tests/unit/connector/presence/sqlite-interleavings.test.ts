import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { enabledChannels } from '../../../../src/connector/domain/account.ts';
import type { AccountPresence } from '../../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { type Door, withDoors, withDoorsInParts } from '../../../harness/doors.ts';
import { type OpenStore, openStore } from '../../../harness/open-store.ts';
import { ReplayingBouncer } from '../../../harness/replaying-bouncer.ts';

const HOUR_MS = 60 * 60 * 1_000;
const TEST_MAX_MS = 5 * 60 * 1_000;
const POLL_MS = 50;
/** Of the doors of an undisturbed run. */
const MOST_DOORS = 0.8;
/** How long a database or a bouncer is away. */
const AWAY_MS = 300;
/** How long the program goes on by itself after what happened. */
const LEFT_MS = 1_500;
/** Accounts that go through a scenario at the same time. */
const AT_ONCE = 24;
const BOTH = ['#room', '#Ops'];

/** Asks seldom, because many ask at the same time. */
const until = (what: string, isTrue: () => Promise<boolean>): Promise<boolean> =>
  waitFor(what, async () => {
    const answer = await isTrue();
    if (!answer) await delay(POLL_MS);
    return answer;
  });

let open: OpenStore;
let serial = 0;

beforeAll(async () => {
  open = await openStore();
});

afterAll(() => open[Symbol.asyncDispose]());

/** One run of the program as far as one account is concerned. */
interface Process {
  presences: Presences;
  presence: AccountPresence;
  /** A killed program does nothing any more. */
  isKilled: boolean;
}

/** An account before its bouncer, through several runs of the program. */
class World {
  readonly bouncer: ReplayingBouncer;
  readonly accountId: string;
  process: Process;
  /** The doors passed since `watch`. */
  readonly passed: Door[] = [];
  /** What was asked for besides the scenario; it may fail. */
  readonly asked: Promise<unknown>[] = [];
  /** Resolves when the program was killed. */
  readonly killed = Promise.withResolvers<void>();
  /** What was said when a change of channels had been answered. */
  saidAtChange: number | undefined;
  isDatabaseAway = false;
  /** Resolves when the event of this world has happened. */
  readonly happened = Promise.withResolvers<void>();
  /** Nobody waits for the scenario any more. */
  isOver = false;
  closing: Promise<void> | undefined;
  readonly #processes: Process[] = [];
  #happen: ((door: Door) => Promise<void>) | undefined;

  constructor(accountId: string) {
    this.accountId = accountId;
    this.bouncer = new ReplayingBouncer(open.clock.now());
    this.process = this.#start();
  }

  get presence(): AccountPresence {
    return this.process.presence;
  }

  /** From now on doors count; at the one with this number, something happens. */
  watch(chosen: number, happen: (door: Door) => Promise<void>): void {
    this.#happen = async (door) => {
      this.passed.push(door);
      if (this.passed.length - 1 !== chosen) return;
      this.happened.resolve();
      await happen(door);
    };
  }

  /** What happened is over. */
  calmDown(): void {
    this.#happen = undefined;
    this.isDatabaseAway = false;
  }

  /** The next run of the program, which goes on with what it finds. */
  async restart(): Promise<void> {
    this.process = this.#start();
    if ((await this.account()).isOnline) this.presence.resume(0);
  }

  kill(): void {
    this.process.isKilled = true;
    this.bouncer.forgetSessions();
    this.killed.resolve();
  }

  async account() {
    const account = await open.store.accounts.find(this.accountId);
    if (account === undefined) throw new Error('no account');
    return account;
  }

  async select(channels: readonly string[]): Promise<void> {
    await open.store.accounts.selectChannels(this.accountId, channels);
    await this.presence.channelsChanged();
  }

  /** A message that waits to be sent. */
  async pending(channel: string, text: string): Promise<void> {
    await open.store.messages.create({
      ...{ accountId: this.accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined },
      ...{ network: 'main', channel, nick: 'ada', text, parts: [{ text, tag: `${this.accountId} ${text}` }] },
    });
  }

  async isStored(text: string): Promise<boolean> {
    return (await this.entries()).some((entry) => entry.text === text);
  }

  entries(): Promise<
    { kind: string; sender: string; text: string; gap_reason: string | null; message_id: string | null }[]
  > {
    return open.database('entries').where('account_id', this.accountId).orderBy('row');
  }

  messages(): Promise<{ status: string; text: string; channel: string }[]> {
    return open
      .database('messages')
      .join('entries', 'entries.entry_id', 'messages.entry_id')
      .where('messages.account_id', this.accountId)
      .select('messages.status', 'messages.channel', 'entries.text');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.presences.close();
    for (const { presences, isKilled } of this.#processes) if (isKilled) void presences.close();
  }

  #start(): Process {
    const knock = async (door: Door): Promise<void> => {
      await this.#happen?.(door);
      if (process.isKilled) await new Promise<never>(() => undefined);
    };
    const knockStore = async (door: Door): Promise<void> => {
      await knock(door);
      if (this.isDatabaseAway) throw new Error('the database is away');
    };
    const presences = new Presences({
      store: withDoorsInParts(open.store, knockStore),
      bouncer: withDoors(this.bouncer, 'bouncer', knock),
      ...{ clock: open.clock, log: pino({ level: 'silent' }), settings: { network: { name: 'main' } } },
    });
    const process = { presences, presence: presences.of(this.accountId), isKilled: false };
    this.#processes.push(process);
    return process;
  }
}

/** What may happen at a door. */
const EVENTS = {
  'the socket breaks': async ({ bouncer }: World) => bouncer.breakSockets(),
  'the program ends': async (world: World) => {
    world.closing = world.process.presences.close();
  },
  'the program is killed': async (world: World) => world.kill(),
  'the account goes offline': async (world: World) => void world.asked.push(world.presence.goOffline()),
  'a channel is disabled': async (world: World) => {
    const changed = world.select(['#Ops']).then(() => {
      world.saidAtChange = world.bouncer.said.length;
    });
    world.asked.push(changed);
  },
  'the call fails': async ({ bouncer }: World, { call }: Door) => {
    // The bouncer ends a session whose beginning failed.
    if (call === 'bouncer.attach') bouncer.forgetSessions();
    throw new Error('it fails');
  },
  'the database goes away': async (world: World) => {
    world.isDatabaseAway = true;
    world.asked.push(
      delay(AWAY_MS).then(() => {
        world.isDatabaseAway = false;
      }),
    );
  },
} as const;
type EventName = keyof typeof EVENTS;

interface Scenario {
  prepare(world: World): Promise<void>;
  run(world: World): Promise<unknown>;
}

const SCENARIOS = {
  'going online': {
    prepare: async () => undefined,
    run: async (world) => {
      world.bouncer.onAttached = () => world.bouncer.hear('#room', 'heard at once');
      await world.presence.goOnline();
    },
  },
  'catching up': {
    prepare: async (world) => {
      await world.presence.goOnline();
      world.bouncer.hear('#room', 'known');
      world.bouncer.hear('#Ops', 'known there');
      await until('it is stored', () => world.isStored('known there'));
      await world.process.presences.close();
      for (let n = 0; n < 3; n += 1) world.bouncer.hear('#room', `missed ${n}`, open.clock.now() + HOUR_MS);
      world.bouncer.hear('#Ops', 'missed there');
      // Long enough ago for a gap, where one is wrongly thought to be.
      open.clock.set(open.clock.now() + 2 * HOUR_MS);
      world.bouncer.onAttached = () => world.bouncer.hear('#room', 'heard at once');
    },
    run: async (world) => {
      await world.restart();
      await until('all is stored', async () => world.isOver || world.isStored('heard at once'));
    },
  },
  sending: {
    prepare: async (world) => {
      await world.presence.goOnline();
      await world.pending('#room', 'one');
      await world.pending('#Ops', 'two');
      await world.pending('#room', 'three');
    },
    run: async (world) => {
      await world.presence.flush();
      const isDone = async () => (await world.messages()).every(({ status }) => status === 'echoed');
      await until('all came back', async () => world.isOver || isDone());
    },
  },
  'a change of channels': {
    prepare: async (world) => {
      await world.presence.goOnline();
      await world.pending('#room', 'one');
    },
    run: async (world) => {
      await Promise.all([world.select(['#Ops']), world.presence.flush(), world.select(['#room'])]);
      await world.select(BOTH);
    },
  },
} as const satisfies Record<string, Scenario>;
type ScenarioName = keyof typeof SCENARIOS;

async function newWorld(): Promise<World> {
  serial += 1;
  return new World(await open.account(`person${serial}`, BOTH));
}

/** Goes through the scenario; at one door something happens. Returns what the scenario failed with, if it did. */
async function play(world: World, scenario: Scenario, chosen: number, event: EventName | undefined): Promise<unknown> {
  await scenario.prepare(world);
  world.watch(chosen, async (door) => {
    if (event !== undefined) await EVENTS[event](world, door);
  });
  const running = scenario.run(world).then(
    () => undefined,
    (error: unknown) => error,
  );
  // Not every scenario comes to its end after what happened.
  const left = world.happened.promise.then(() => delay(LEFT_MS));
  const failure = await Promise.race([running, world.killed.promise, left]);
  world.isOver = true;
  return failure;
}

/** Everything works again. What must hold then, whatever happened before. */
async function recover(world: World): Promise<void> {
  await Promise.allSettled([...world.asked, world.closing]);
  world.calmDown();
  if (world.closing !== undefined || world.process.isKilled) await world.restart();
  await until('what is stored and what stands agree', async () => {
    const { isOnline } = await world.account();
    return isOnline === (world.presence.live !== undefined) && world.bouncer.isEnabled === isOnline;
  });
  if (!(await world.account()).isOnline) {
    expect(world.bouncer.openSessions).toBe(0);
    await world.presence.goOnline();
  }
  expect(world.bouncer.openSessions).toBe(1);
  await until('the bouncer follows', async () => {
    const enabled = enabledChannels(await world.account());
    return enabled.join() === world.bouncer.channels.join();
  });
  await world.select(BOTH);
  for (const channel of BOTH) {
    world.bouncer.hear(channel, `the end of ${channel}`);
    await until('it is stored', () => world.isStored(`the end of ${channel}`));
  }
}

async function check(world: World): Promise<void> {
  const entries = await world.entries();
  const captured = entries.filter(({ sender }) => sender === 'bob').map(({ text }) => text);
  const kept = BOTH.flatMap((channel) => world.bouncer.linesFrom(channel, 0)).filter(({ own }) => own === undefined);
  expect(captured.toSorted()).toEqual(kept.map(({ line: { text } }) => text).toSorted());
  expect(entries.filter(({ kind }) => kind === 'gap')).toEqual([]);

  const said = world.bouncer.said.map(({ text }) => text);
  expect(said).toEqual([...new Set(said)]);
  for (const { text, status } of await world.messages()) {
    expect(status, text).not.toBe('pending');
    if (status === 'echoed') expect(said).toContain(text);
    if (status === 'failed') expect(said).not.toContain(text);
  }
  const saidAfter = world.saidAtChange === undefined ? [] : world.bouncer.said.slice(world.saidAtChange);
  expect(saidAfter.filter(({ channel }) => channel === '#room')).toEqual([]);
}

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    await Promise.all(items.slice(from, from + AT_ONCE).map(work));
  }
}

/** One scenario disables and enables channels itself. */
const CASES = (Object.keys(SCENARIOS) as ScenarioName[])
  .flatMap((scenario) => (Object.keys(EVENTS) as EventName[]).map((event) => ({ scenario, event })))
  .filter(({ scenario, event }) => scenario !== 'a change of channels' || event !== 'a channel is disabled');

test.each(CASES)(
  'when $event at any await of $scenario, no line is lost or doubled, and what is stored is so',
  async ({ scenario, event }) => {
    await using quiet = await newWorld();
    expect(await play(quiet, SCENARIOS[scenario], -1, undefined)).toBeUndefined();
    const doors = [...quiet.passed];
    await recover(quiet);
    await check(quiet);
    expect(doors.length).toBeGreaterThan(5);

    // The end of one call and the beginning of the next are the same moment, except for what fails.
    const side = event === 'the database goes away' ? 'before' : 'after';
    const numbered = doors.map((door, chosen) => ({ door, chosen }));
    const tried = numbered.filter(({ door }) => event === 'the call fails' || door.side === side);
    let happened = 0;
    await inGroups(tried, async ({ door, chosen }) => {
      const where = `${door.side} ${door.call}, door ${chosen}`;
      await using world = await newWorld();
      try {
        await play(world, SCENARIOS[scenario], chosen, event);
        if (world.passed.length > chosen) happened += 1;
        await recover(world);
        await check(world);
      } catch (error) {
        throw new Error(`${event} ${where}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    });
    // Lines may come together that came one by one before, so the last doors are not always there.
    expect(happened).toBeGreaterThan(MOST_DOORS * tried.length);
  },
  TEST_MAX_MS,
);
