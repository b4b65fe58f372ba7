import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { readCompany } from '../../../../../src/connector/store/hold/company-rows.ts';
import { DEAD_AFTER_MS } from '../../../../../src/connector/store/hold/observation.ts';
import {
  beat,
  leave,
  type OwnRow,
  readSlot,
  removeSilent,
} from '../../../../../src/connector/store/hold/process-rows.ts';
import { takeSlot } from '../../../../../src/connector/store/hold/take-slot.ts';
import { migratedDatabase } from '../../../../harness/migrated-database.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const process = (processId: string): OwnRow => ({ processId, name: `${processId} on host`, version: '1' });

/** Makes the process look silent for this many milliseconds. */
const silence = (database: Knex, processId: string, ms: number) =>
  database('processes').where('process_id', processId).decrement('seen_at', ms);

test('a heartbeat is dated by the database, and says how far the clock of the process is ahead', async () => {
  const database = await open();

  await beat(database, process('a'), 1_234.6);
  const [first] = await database('processes');
  await silence(database, 'a', 5_000);
  await beat(database, process('a'), 0);
  const [second] = await database('processes');

  expect(first).toMatchObject({ process_id: 'a', name: 'a on host', version: '1' });
  expect(Number(first.clock_ahead_ms)).toBe(1_235);
  expect(Number(second.seen_at)).toBeGreaterThanOrEqual(Number(first.seen_at));
  expect(Number(second.started_at)).toBe(Number(first.started_at));
});

test('one of several processes gets the free slot, under a number that was never used', async () => {
  const database = await open();
  const seen = await readSlot(database);

  const taken = [];
  for (const id of ['a', 'b', 'c']) taken.push(await takeSlot(database, process(id), seen));
  const [fence] = taken;
  if (fence === undefined) throw new Error('not taken');

  expect(taken).toEqual([{ processId: 'a', fence: 1 }, undefined, undefined]);
  expect(await readSlot(database)).toMatchObject({ holder: { processId: 'a' }, fence: 1 });
  await leave(database, fence.processId);
  expect(await takeSlot(database, process('b'), await readSlot(database))).toEqual({ processId: 'b', fence: 2 });
});

test('the slot of a process that was heard of meanwhile is not taken; that of a silent one is, and its row goes', async () => {
  const database = await open();
  await beat(database, process('a'), 0);
  await takeSlot(database, process('a'), await readSlot(database));
  await silence(database, 'a', DEAD_AFTER_MS);
  const seen = await readSlot(database);
  expect(seen.databaseNow - (seen.holder?.seenAt ?? 0)).toBeGreaterThanOrEqual(DEAD_AFTER_MS);

  await beat(database, process('a'), 0);
  expect(await takeSlot(database, process('b'), seen)).toBeUndefined();
  await silence(database, 'a', DEAD_AFTER_MS);

  expect(await takeSlot(database, process('b'), seen)).toEqual({ processId: 'b', fence: 2 });
  expect(await database('processes').pluck('process_id')).toEqual([]);
});

test('the slot of a process that was last heard of before the clock was set back is taken, unless it is heard of again', async () => {
  const database = await open();
  await beat(database, process('a'), 0);
  await takeSlot(database, process('a'), await readSlot(database));
  await silence(database, 'a', -60 * 60 * 1_000);
  const seen = await readSlot(database);

  await silence(database, 'a', -1);
  expect(await takeSlot(database, process('b'), seen)).toBeUndefined();
  await beat(database, process('a'), 0);
  expect(await takeSlot(database, process('b'), seen)).toBeUndefined();
  await silence(database, 'a', -60 * 60 * 1_000);

  expect(await takeSlot(database, process('b'), await readSlot(database))).toEqual({ processId: 'b', fence: 2 });
});

test('the slot of an unknown process can be taken', async () => {
  const database = await open();
  await database('slots').update({ process_id: 'of a backup', fence: 7 });

  const seen = await readSlot(database);

  expect(seen.holder).toEqual({ processId: 'of a backup', name: undefined, seenAt: undefined, isNewer: false });
  expect(await takeSlot(database, process('b'), seen)).toEqual({ processId: 'b', fence: 8 });
});

test('a process that has lost the slot cannot give it back or remove another one', async () => {
  const database = await open();
  await database('slots').update({ process_id: 'b', fence: 5 });
  await beat(database, process('b'), 0);

  await leave(database, 'a');

  expect(await readSlot(database)).toMatchObject({ holder: { processId: 'b', name: 'b on host' }, fence: 5 });
});

test('after a step of the database’s clock, the end of a process and the upkeep leave the rows of living ones', async () => {
  const database = await open();
  for (const id of ['holds', 'acts for accounts', 'ends']) await beat(database, process(id), 0);
  await takeSlot(database, process('holds'), await readSlot(database));
  await readCompany(database, 'acts for accounts', true);
  await database('account_slots').where('slot', '<', 32).update({ process_id: 'acts for accounts' });
  // Two days ahead, until the next heartbeats.
  await database('processes').decrement('seen_at', 48 * 60 * 60 * 1_000);

  await leave(database, 'ends');
  await removeSilent(database, 60);

  expect(await database('processes').orderBy('process_id').pluck('process_id')).toEqual(['acts for accounts', 'holds']);
});

test('the one that serves forgets, in steps, what a hundred processes left that were killed before they took over', async () => {
  const database = await open();
  await beat(database, process('a'), 0);
  await takeSlot(database, process('a'), await readSlot(database));
  for (let run = 0; run < 100; run += 1) await beat(database, process(`killed ${run}`), 0);
  await database('processes')
    .whereLike('process_id', 'killed%')
    .decrement('seen_at', 25 * 60 * 60 * 1_000);
  await beat(database, process('b'), 0);

  expect([await removeSilent(database, 60), await removeSilent(database, 60)]).toEqual([60, 40]);
  expect(await removeSilent(database, 60)).toBe(0);
  await beat(database, process('c'), 0);
  await silence(database, 'c', -25 * 60 * 60 * 1_000);
  expect(await removeSilent(database, 60)).toBe(1);
  expect(await database('processes').orderBy('process_id').pluck('process_id')).toEqual(['a', 'b']);
});

test('a look says whether another process lives than the one that has the slot', async () => {
  const database = await open();
  await beat(database, process('a'), 0);
  await takeSlot(database, process('a'), await readSlot(database));
  expect(await readSlot(database)).toMatchObject({ isAwaited: false });

  await beat(database, process('b'), 0);
  expect(await readSlot(database)).toMatchObject({ isAwaited: true });
  await silence(database, 'b', DEAD_AFTER_MS);
  expect(await readSlot(database)).toMatchObject({ isAwaited: false });
  // The database's clock was set back.
  await silence(database, 'b', -60 * 60 * 1_000);
  expect(await readSlot(database)).toMatchObject({ isAwaited: false });
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
