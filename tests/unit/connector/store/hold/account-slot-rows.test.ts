import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import {
  adoptAccountSlots,
  buryReader,
  declineAccountSlots,
  entryOf,
  giveAccountSlot,
  readAccountSlots,
} from '../../../../../src/connector/store/hold/account-slot-rows.ts';
import { readCompany } from '../../../../../src/connector/store/hold/company-rows.ts';
import { DEAD_AFTER_MS } from '../../../../../src/connector/store/hold/observation.ts';
import { beat, leave, type OwnRow, readSlot } from '../../../../../src/connector/store/hold/process-rows.ts';
import { takeSlot } from '../../../../../src/connector/store/hold/take-slot.ts';
import { migratedDatabase } from '../../../../harness/migrated-database.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const ALL = 64;

const process = (processId: string): OwnRow => ({ processId, name: `${processId} on host`, version: '1' });

const silence = (database: Knex, processId: string, ms: number) =>
  database('processes').where('process_id', processId).decrement('seen_at', ms);

test('a process that takes the slot takes the free account slots and those of the dead one; those of others stay theirs', async () => {
  const database = await open();
  await coordinate(database, 'a');
  expect(await counts(database)).toEqual({ a: ALL });
  await serve(database, 'b');
  await serve(database, 'c');
  await ofSlots(database, [1, 2, 3], 'b');
  await ofSlots(database, [4, 5], 'c');
  await ofSlots(database, [6], null);
  await ofSlots(database, [7], 'a process that has left');
  await silence(database, 'a', DEAD_AFTER_MS);

  expect(await takeSlot(database, process('b'), await readSlot(database))).toBeDefined();

  expect(await counts(database)).toEqual({ b: ALL - 2, c: 2 });
});

test('the account slots of a process that has ended in order are free, and the process with the slot takes them, only them', async () => {
  const database = await open();
  const fence = await coordinate(database, 'a');
  await serve(database, 'b');
  await serve(database, 'c');
  await ofSlots(database, [1, 2, 3], 'b');
  await ofSlots(database, [4, 5], 'c');
  expect(await readAccountSlots(database, process('a'))).toMatchObject({ hasFree: false });

  await leave(database, 'b');
  expect(await readAccountSlots(database, process('a'))).toMatchObject({ hasFree: true });
  await adoptAccountSlots(database, fence);

  expect(await counts(database)).toEqual({ a: ALL - 2, c: 2 });
  const seen = await readAccountSlots(database, process('a'));
  expect([seen.hasFree, seen.own.length]).toEqual([false, ALL - 2]);
  await expect(adoptAccountSlots(database, { ...fence, fence: fence.fence - 1 })).rejects.toThrow('has taken');
});

test('a process that serves beside the slot and takes it keeps its account slots, unless it was buried meanwhile', async () => {
  const database = await open();
  const fence = await coordinate(database, 'a');
  const readsSince = await serve(database, 'b');
  await ofSlots(database, [1, 2, 3], 'b');
  await silence(database, 'b', DEAD_AFTER_MS);
  const [dead] = (await readCompany(database, 'a', false)).others;
  if (dead === undefined) throw new Error('b is not seen');
  expect(await buryReader(database, dead, { fence, hasConnections: false })).toBe(true);
  expect(await counts(database)).toEqual({ a: ALL });

  await serve(database, 'b');
  await silence(database, 'a', DEAD_AFTER_MS);
  const seen = await readSlot(database);
  expect(await takeSlot(database, process('b'), seen, { readsSince: readsSince - 1 })).toBeUndefined();
  expect(await takeSlot(database, process('b'), seen, { readsSince: await entryOf(database, 'b') })).toBeDefined();
  expect(await counts(database)).toEqual({ b: ALL });
});

test('the row of a dead process is deleted, and its account slots are taken, unless a heartbeat has come since it was seen', async () => {
  const database = await open();
  const fence = await coordinate(database, 'a');
  await serve(database, 'b');
  await ofSlots(database, [1, 2, 3], 'b');
  await silence(database, 'b', 60_000);
  const seen = async () => (await readCompany(database, 'a', false)).others[0] ?? { processId: 'b', seenAt: 0 };
  const before = await seen();
  await beat(database, process('b'), 0);
  const how = { fence, hasConnections: false };

  expect(await buryReader(database, before, how)).toBe(false);
  expect(await counts(database)).toEqual({ a: ALL - 3, b: 3 });
  expect(await buryReader(database, await seen(), how)).toBe(true);

  expect(await counts(database)).toEqual({ a: ALL });
  expect(await readCompany(database, 'a', false)).toMatchObject({ others: [] });
  await beat(database, process('b'), 0);
  expect(await readCompany(database, 'a', false)).toMatchObject({ others: [] });
});

test('a dead process whose connections may not be ended loses its account slots and its entry, and still counts as one that serves', async () => {
  const database = await open();
  const fence = await coordinate(database, 'a');
  const readsSince = await serve(database, 'b');
  await serve(database, 'c');
  await ofSlots(database, [1, 2, 3], 'b');
  for (const id of ['b', 'c']) await silence(database, id, 60_000);
  const how = { fence, hasConnections: true };

  for (const dead of (await readCompany(database, 'a', false)).others) {
    expect(await buryReader(database, dead, how)).toBe(false);
  }

  expect(await counts(database)).toEqual({ a: ALL });
  const { others } = await readCompany(database, 'a', false);
  expect(others.map(({ processId }) => processId).sort()).toEqual(['b', 'c']);
  expect(await entryOf(database, 'b')).toBeGreaterThan(readsSince);
  // One without account slots may go on when it wakes.
  const entry = await entryOf(database, 'c');
  for (const dead of others) await buryReader(database, dead, how);
  expect(await entryOf(database, 'c')).toBe(entry);
});

test('a process that has lost the slot buries no other one', async () => {
  const database = await open();
  const fence = await coordinate(database, 'a');
  await serve(database, 'b');
  await ofSlots(database, [1], 'b');
  await silence(database, 'b', 60_000);
  const [dead] = (await readCompany(database, 'a', false)).others;
  await silence(database, 'a', DEAD_AFTER_MS);
  await takeSlot(database, process('c'), await readSlot(database));

  const bury = () => buryReader(database, dead ?? { processId: '', seenAt: 0 }, { fence, hasConnections: false });
  await expect(bury()).rejects.toThrow('has taken');

  expect(await counts(database)).toEqual({ b: 1, c: ALL - 1 });
});

for (const { who, spoil } of [
  { who: 'is silent', spoil: (database: Knex) => silence(database, 'b', 5_500) },
  { who: 'has ended', spoil: (database: Knex) => leave(database, 'b') },
  {
    who: 'only waits',
    spoil: (database: Knex) => database('processes').where('process_id', 'b').update({ reads_since: null }),
  },
  {
    who: 'does not serve yet',
    spoil: (database: Knex) => database('processes').where('process_id', 'b').increment('reads_since', 5_000),
  },
  { who: 'has a wrong clock', spoil: (database: Knex) => beat(database, process('b'), -5_100) },
  { who: 'is going to end', spoil: (database: Knex) => declineAccountSlots(database, 'b', true) },
]) {
  test(`an account slot is given to a process that serves, and not to one that ${who}`, async () => {
    const database = await open();
    const fence = await coordinate(database, 'a');
    await serve(database, 'b');
    const give = (slot: number) =>
      giveAccountSlot(database, { processId: 'a', slot, to: 'b' }, { fence }, () => undefined);
    const names = async () => (await readAccountSlots(database, process('a'))).shares.map(({ processId }) => processId);
    expect(await names()).toEqual(['a', 'b']);
    expect(await give(9)).toBe(true);
    await spoil(database);

    expect(await give(10)).toBe(false);

    expect(await names()).toEqual(['a']);
    const owner = await database('account_slots').where('slot', 10).first('process_id');
    expect(owner).toEqual({ process_id: 'a' });
  });
}

test('a process without the slot gives its own account slots alone, also to the one that has the slot, and none when it was entered anew', async () => {
  const database = await open();
  await coordinate(database, 'a');
  const readsSince = await serve(database, 'b');
  await ofSlots(database, [1, 2], 'b');
  const give = (slot: number, since: number) => {
    const calls = { stored: 0 };
    const gift = { processId: 'b', slot, to: 'a' };
    const given = giveAccountSlot(database, gift, { readsSince: since }, () => {
      calls.stored += 1;
    });
    return given.then((isGiven) => [isGiven, calls.stored]);
  };

  expect(await give(3, readsSince)).toEqual([false, 0]);
  expect(await give(1, readsSince - 1)).toEqual([false, 0]);
  expect(await give(1, readsSince)).toEqual([true, 1]);

  expect(await counts(database)).toEqual({ a: ALL - 1, b: 1 });
  const { shares, own, hasFree } = await readAccountSlots(database, process('b'));
  expect([own, hasFree]).toEqual([[2], true]);
  expect(shares.map(({ name, accountSlots }) => [name, accountSlots.length])).toEqual([
    ['a on host', ALL - 1],
    ['b on host', 1],
  ]);
});

test('a process that has just been entered gets no account slots until it accepts them, and none again when it has declined', async () => {
  const database = await open();
  await coordinate(database, 'a');
  const receivers = async (): Promise<string[]> =>
    (await readAccountSlots(database, process('a'))).shares.map(({ processId }) => processId);
  await beat(database, process('b'), 0);
  await readCompany(database, 'b', true);
  await database('processes').where('process_id', 'b').decrement('reads_since', DEAD_AFTER_MS);

  expect(await receivers()).toEqual(['a']);
  await declineAccountSlots(database, 'b', false);
  expect(await receivers()).toEqual(['a', 'b']);

  await declineAccountSlots(database, 'b', true);
  await readCompany(database, 'b', true);
  expect(await receivers()).toEqual(['a']);
});

test('a process that declines is among its own shares still', async () => {
  const database = await open();
  await coordinate(database, 'a');
  await declineAccountSlots(database, 'a', true);
  expect((await readAccountSlots(database, process('a'))).shares).toMatchObject([{ processId: 'a' }]);
});

test('the slot is taken also in a database of an earlier version, which has no account slots', async () => {
  const database = await open();
  await coordinate(database, 'a');
  await database.schema.dropTable('account_slots');
  await database.raw('ALTER TABLE accounts DROP COLUMN slot');
  await database.raw('ALTER TABLE processes DROP COLUMN declines_since');
  await silence(database, 'a', DEAD_AFTER_MS);
  await beat(database, process('b'), 0);

  expect(await takeSlot(database, process('b'), await readSlot(database))).toEqual({ processId: 'b', fence: 2 });
});

/** How often a session has read the table of processes up to now; undefined on SQLite, which keeps no count. */
async function readsOfProcesses(transaction: Knex): Promise<number | undefined> {
  if (transaction.client.driverName !== 'pg') return undefined;
  const { rows } = await transaction.raw(
    `SELECT seq_scan + coalesce(idx_scan, 0) AS reads FROM pg_stat_xact_user_tables WHERE relname = 'processes'`,
  );
  return Number(rows[0]?.reads ?? 0);
}

test('a look at the account slots reads the rows of processes a few times and not once for each slot: a long transaction of another program keeps thousands of their versions', async () => {
  const database = await open();
  await coordinate(database, 'a');
  await serve(database, 'b');
  await ofSlots(database, [0, 1], 'b');
  await ofSlots(database, [2], 'ended');
  await ofSlots(database, [3], null);

  const { seen, reads } = await database.transaction(async (transaction) => {
    // As each session of the program.
    if (transaction.client.driverName === 'pg') await transaction.raw('SET LOCAL enable_seqscan = off');
    const before = await readsOfProcesses(transaction);
    const looked = await readAccountSlots(transaction, process('b'));
    const after = await readsOfProcesses(transaction);
    return { seen: looked, reads: before === undefined || after === undefined ? 1 : after - before };
  });

  expect(seen.own).toEqual([0, 1]);
  expect(seen.hasFree).toBe(true);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(6);
});

async function open(): Promise<Knex> {
  const folder = await tempFolder();
  const own = await migratedDatabase(folder.path);
  const database = own.connect();
  onTestFinished(async () => {
    await database.destroy();
    await own[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return database;
}

/** The process has the slot and all account slots that are free. */
async function coordinate(database: Knex, processId: string) {
  await beat(database, process(processId), 0);
  const fence = await takeSlot(database, process(processId), await readSlot(database));
  if (fence === undefined) throw new Error('the slot was not taken');
  return fence;
}

/** The process serves without the slot, for long enough. */
async function serve(database: Knex, processId: string, sinceMs = DEAD_AFTER_MS): Promise<number> {
  await beat(database, process(processId), 0);
  await readCompany(database, processId, true);
  await database('processes').where('process_id', processId).decrement('reads_since', sinceMs);
  await declineAccountSlots(database, processId, false);
  return (await entryOf(database, processId)) ?? 0;
}

async function counts(database: Knex): Promise<Record<string, number>> {
  const rows: { process_id: string | null }[] = await database('account_slots').select('process_id');
  const owners = rows.map((row) => row.process_id ?? 'free');
  return Object.fromEntries([...new Set(owners)].sort().map((id) => [id, owners.filter((each) => each === id).length]));
}

function ofSlots(database: Knex, slots: readonly number[], owner: string | null) {
  return database('account_slots')
    .whereIn('slot', [...slots])
    .update({ process_id: owner });
}
