import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { readSlot } from '../../../../../src/connector/store/hold/process-rows.ts';
import { createMembership } from '../../../../../src/connector/store/hold/row-membership.ts';
import { migratedDatabase } from '../../../../harness/migrated-database.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const own = { processId: 'a', name: 'a on host', version: '1' };

test('a process that is stopped during a heartbeat leaves no row behind', async () => {
  const { database, membership, asked } = await open();
  await membership.beat(0);
  asked.before = () => membership.leave();

  await expect(membership.beat(0)).rejects.toThrow('has left');

  expect(await database('processes')).toEqual([]);
});

test('a process that is stopped while it takes the slot, or just before, leaves the slot free', async () => {
  const { database, membership } = await open();
  const seen = await membership.beat(0);
  if (seen === undefined) throw new Error('no slot');

  const taking = membership.take(seen, false).catch(() => undefined);
  await membership.leave();
  await taking;
  await expect(membership.take(await readSlot(database), false)).rejects.toThrow('has left');

  expect((await readSlot(database)).holder).toBeUndefined();
  expect(await database('processes')).toEqual([]);
});

test.each(['passes nothing', 'ends'])(
  'a process gives the slot back by another connection where that of its heartbeats %s at that moment',
  async (fate) => {
    const { database, connect, membership, asked } = await open();
    const seen = await membership.beat(0);
    if (seen === undefined || (await membership.take(seen, false)) === undefined) throw new Error('not taken');
    asked.beforeLeaving = async (by) => {
      if (by !== database) return;
      if (fate === 'passes nothing') await new Promise(() => undefined);
      // The server ends a session like this: every request on it fails from now on.
      await database.destroy();
    };

    await membership.leave();

    const later = connect();
    onTestFinished(() => later.destroy());
    expect((await readSlot(later)).holder).toBeUndefined();
    expect(await later('processes')).toEqual([]);
  },
);

async function open() {
  const folder = await tempFolder();
  const made = await migratedDatabase(folder.path);
  const database = made.connect();
  onTestFinished(async () => {
    await database.destroy();
    await made[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const asked = { before: async () => undefined as unknown, beforeLeaving: async (_by: Knex) => undefined as unknown };
  const membership = createMembership(database, own, {
    keepEarlierOut: async () => {
      await asked.before();
      return true;
    },
    expel: async (by) => {
      await asked.beforeLeaving(by);
      return undefined;
    },
    connectAnew: made.connect,
  });
  return { database, connect: made.connect, membership, asked };
}
