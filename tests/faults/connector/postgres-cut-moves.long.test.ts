import { setInterval as every } from 'node:timers';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Hold } from '../../../src/connector/ports/hold.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { createBootClock } from '../../../src/connector/store/hold/boot-clock.ts';
import type { SlotKeeper } from '../../../src/connector/store/hold/slot-keeper.ts';
import { ACCOUNT_SLOTS } from '../../../src/connector/store/slots-of-accounts.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { migratedDatabase } from '../../harness/migrated-database.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { type PostgresProxy, startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import type { TestDatabase } from '../../harness/test-database.ts';

const LOOK_MS = 20;

let made: AsyncDisposableStack;
let own: TestDatabase;
let database: Knex;
let members: Member[] = [];
/** Slots for which two processes acted at once. */
const shared = new Set<string>();
let joined = 0;

beforeAll(async () => {
  made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  own = made.use(await migratedDatabase(folder.path));
  database = own.connect();
  made.defer(() => database.destroy());
  const watch = every(lookForShared, LOOK_MS);
  made.defer(() => clearInterval(watch));
});

afterAll(() => made?.disposeAsync());

beforeEach(async () => {
  if (members.length === 0) await joinFirst();
  if (members.length === 1) await joinBeside();
});

const first = (): Member => members.find(({ keeper }) => keeper.hasSlot) ?? missing();
const beside = (): Member => members.find(({ keeper }) => !keeper.hasSlot) ?? missing();
const missing = (): never => {
  throw new Error('the process is missing');
};

const GIVING = ['BEGIN', 'pg_advisory_xact_lock(', 'for key share', 'update "account_slots"', 'COMMIT'];
const CUTS = (['statement', 'answer'] as const).flatMap((what) => GIVING.map((words) => ({ what, words })));

test('a process that gives accounts, and is cut from the database at any statement of that, gives them once or keeps them', async () => {
  for (const giver of [first(), beside()]) {
    const [to] = members.filter((each) => each !== giver);
    if (to === undefined) throw new Error('two are wanted');
    for (const { words, what } of CUTS) {
      const [slot] = giver.keeper.accounts.own;
      if (slot === undefined) throw new Error('the process has no accounts to give');
      await waitFor('the receiver is fit', () =>
        giver.keeper.accounts.shares.some(({ processId }) => processId === to.processId),
      );
      giver.proxy.cutAt(words, what);

      const isGiven = await giver.keeper.accounts.give(slot, to.processId);
      giver.keeper.lookNow();
      to.keeper.lookNow();
      await settled();

      const owner = (await owners()).get(slot);
      const where = `cut at the ${what} ${words}`;
      expect(giver.proxy.isArmed, where).toBe(false);
      if (!isGiven) expect(owner, where).toBe(giver.processId);
      if (words === 'COMMIT' && what === 'answer') expect([isGiven, owner], where).toEqual([true, to.processId]);
    }
  }
});

test.each(['statement', 'answer'] as const)(
  'accounts of a process that has ended go to the first one, which is cut from the database at the %s COMMIT of that',
  async (what) => {
    const ending = beside();
    const slots = [...first().keeper.accounts.own].slice(0, 3);
    for (const slot of slots) expect(await first().keeper.accounts.give(slot, ending.processId)).toBe(true);
    ending.keeper.lookNow();
    await settled();
    first().proxy.cutAt('COMMIT', what);

    members = members.filter((each) => each !== ending);
    await ending.keeper.release();
    await settled();

    expect(first().proxy.isArmed).toBe(false);
    expect(first().keeper.accounts.own.size).toBe(ACCOUNT_SLOTS);
  },
);

test.each(['statement', 'answer'] as const)(
  'accounts of a process that is silent go to the first one, which is cut from the database at the %s COMMIT of that',
  async (what) => {
    const silent = beside();
    const [slot] = first().keeper.accounts.own;
    expect(await first().keeper.accounts.give(slot ?? -1, silent.processId)).toBe(true);
    silent.keeper.lookNow();
    await settled();

    cutOff(silent);
    first().proxy.cutAt('COMMIT', what);
    await settled();

    expect(first().proxy.isArmed).toBe(false);
    await waitFor(
      'its row is gone',
      async () => (await database('processes').where('process_id', silent.processId)).length === 0,
    );
  },
);

test.each(['statement', 'answer'] as const)(
  'a process that takes the accounts of a silent first one, and is cut from the database at the %s COMMIT of that, has all of them in the end',
  async (what) => {
    const [silent, taker] = [first(), beside()];
    const [slot] = silent.keeper.accounts.own;
    expect(await silent.keeper.accounts.give(slot ?? -1, taker.processId)).toBe(true);
    taker.keeper.lookNow();
    await settled();

    cutOff(silent);
    taker.proxy.cutAt('COMMIT', what);
    await settled();

    expect(taker.proxy.isArmed).toBe(false);
    expect(taker.keeper.hasSlot).toBe(true);
    expect(taker.keeper.accounts.own.size).toBe(ACCOUNT_SLOTS);
  },
);

/** Accounts are written for by a process that has their slot and trusts its right. */
function lookForShared(): void {
  const acting = members.filter(({ right }) => right.isTrusted());
  for (const [n, one] of acting.entries()) {
    for (const other of acting.slice(n + 1)) {
      for (const slot of one.keeper.accounts.own) {
        if (other.keeper.accounts.own.has(slot)) shared.add(`${slot}: ${one.processId}, ${other.processId}`);
      }
    }
  }
}

async function join(): Promise<Member> {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  const folder = made.use(await tempFolder());
  const proxy = made.use(await startPostgresProxy(folder.path, server));
  const { postgres } = own.config;
  if (postgres === undefined) throw new Error('the database is on PostgreSQL');
  joined += 1;
  const processId = `process ${joined}`;
  const ignored = (): void => undefined;
  const keeper = databaseServer(choiceOf({ postgres: { ...postgres, host: folder.path } })).join?.(
    { processId, name: processId, version: '1' },
    {
      ...{ clock: systemClock, sinceBoot: createBootClock(), ended: undefined },
      ...{
        failed: ignored,
        takingFailed: ignored,
        waitsForOlder: ignored,
        connectionsLeft: ignored,
        clockIsOff: ignored,
      },
    },
  );
  if (keeper === undefined) throw new Error('the database can be shared');
  made.defer(() => keeper.release().catch(ignored));
  const member: Member = { processId, keeper, proxy, right: keeper.company.claim };
  void keeper.taken.then(
    (hold) => {
      member.right = hold;
    },
    () => undefined,
  );
  members.push(member);
  return member;
}

/** Starts the first process, which gets the slot. */
async function joinFirst(): Promise<Member> {
  const first = await join();
  await first.keeper.taken;
  first.keeper.company.schemaIsCurrent();
  await settled();
  return first;
}

/** Starts a process that serves beside the first one, and may get account slots. */
async function joinBeside(): Promise<Member> {
  const member = await join();
  member.keeper.company.read();
  await waitFor('it serves', () => member.keeper.company.mayRead());
  await member.keeper.accounts.accept();
  await waitFor('the first one sees it', () =>
    members.every(({ keeper }) => keeper.accounts.shares.some(({ processId }) => processId === member.processId)),
  );
  return member;
}

/** The process goes on without the database and counts as dead. */
function cutOff(member: Member): void {
  member.proxy.hang();
  members = members.filter((each) => each !== member);
}

/** Waits until each process acts for the account slots that the database says are its own, and all slots are such. */
async function settled(): Promise<void> {
  await waitFor('each account has the process that the database names', async () => {
    const stored = await owners();
    const agrees = members.every(({ processId, keeper }) => {
      const its = [...stored].filter(([, owner]) => owner === processId).map(([slot]) => slot);
      return its.length === keeper.accounts.own.size && its.every((slot) => keeper.accounts.own.has(slot));
    });
    const acted = members.reduce((sum, { keeper }) => sum + keeper.accounts.own.size, 0);
    return agrees && acted === ACCOUNT_SLOTS;
  });
  expect([...shared]).toEqual([]);
}

/** A process among those that share the database, with a way of its own to it. */
interface Member {
  processId: string;
  keeper: SlotKeeper;
  proxy: PostgresProxy;
  /** Its right to act, once it has one. */
  right: Pick<Hold, 'isTrusted'>;
}

async function owners(): Promise<Map<number, string | null>> {
  const rows: { slot: number; process_id: string | null }[] = await database('account_slots').select();
  return new Map(rows.map(({ slot, process_id: processId }) => [Number(slot), processId]));
}
