import { expect, inject, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Claim, Fence } from '../../../src/connector/ports/claims.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { lockSlot, lockSlotToTake } from '../../../src/connector/store/hold/slot-lock.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { administer } from '../../harness/administer.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test('a process that takes itself for the holder can read, but no statement and no transaction of it writes anything', async () => {
  const { fence, as, written } = await open();
  const good = as(fence);
  await good('totals').insert({ name: 'alone', value: 1 });
  await good.transaction(async (transaction) => {
    await transaction('totals').insert({ name: 'in a transaction', value: 1 });
  });

  for (const stale of [
    { ...fence, fence: fence.fence - 1 },
    // The number of a restored backup may be the same again.
    { processId: 'of a backup', fence: fence.fence },
  ]) {
    const database = as(stale);
    const insert = () => database('totals').insert({ name: 'stale', value: 1 });
    await expect(insert()).rejects.toThrow('another process has it now');
    await expect(database('totals').update({ value: 2 })).rejects.toThrow('another process has it now');
    await expect(database('totals').delete()).rejects.toThrow('another process has it now');
    await expect(database.raw('WITH gone AS (DELETE FROM totals RETURNING name) SELECT * FROM gone')).rejects.toThrow(
      'another process has it now',
    );
    await expect(
      database.transaction(async (transaction) => {
        await transaction('totals').insert({ name: 'stale', value: 1 });
      }),
    ).rejects.toThrow('another process has it now');
    expect(await database('totals').where('value', 1).pluck('name')).toHaveLength(2);
  }

  expect(await written()).toEqual(['alone', 'in a transaction']);
});

const ISOLATIONS = ['read committed', 'repeatable read', 'serializable'];

test.each(ISOLATIONS)(
  'a transaction that begins while another process takes the slot sees the taking, and writes nothing, where the database’s default is %s',
  async (isolation) => {
    const { fence, others, as, written } = await open(isolation);
    const database = as(fence);
    const taking = await others.transaction();
    await lockSlot(taking);
    await taking('slots').update({ process_id: 'taker', fence: fence.fence + 1 });

    const writes = [
      database('totals').insert({ name: 'alone', value: 1 }),
      database.transaction(async (transaction) => {
        await transaction('totals').insert({ name: 'in a transaction', value: 1 });
      }),
    ].map((write) => Promise.resolve(write).catch((error: Error) => error.message));
    await waitFor('both wait', async () => {
      const { rows } = await others.raw("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      return rows.length === 2;
    });
    await taking.commit();

    for (const end of await Promise.all(writes)) expect(end).toContain('another process has it now');
    expect(await written()).toEqual([]);
  },
);

test('the slot is not taken while a transaction of its holder is under way', async () => {
  const { fence, others, as, written } = await open();
  const database = as(fence);
  const underWay = await database.transaction();
  await underWay('totals').insert({ name: 'under way', value: 1 });
  let isTaken = false;
  const taking = others.transaction(async (transaction) => {
    await lockSlot(transaction);
    isTaken = true;
    await transaction('slots').update({ process_id: 'taker', fence: fence.fence + 1 });
  });
  await waitFor('it waits', async () => {
    const { rows } = await others.raw("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length === 1;
  });
  expect(isTaken).toBe(false);

  await underWay.commit();
  await taking;

  expect(await written()).toEqual(['under way']);
});

test('a process that is frozen while it takes the slot keeps nobody from it for longer than the server lets it stand idle', async () => {
  const { as, fence, others, written } = await open();
  // This session begins with half a minute, as each of the program's; taking the slot shortens that to 3 s.
  const frozen = await as(fence).transaction();
  await lockSlotToTake(frozen);
  const settings = await frozen.raw('SHOW idle_in_transaction_session_timeout');
  expect(settings.rows).toEqual([{ idle_in_transaction_session_timeout: '3s' }]);

  await waitFor('another one takes the slot', async () => {
    await others.transaction(lockSlotToTake);
    return true;
  });

  await frozen.rollback().catch(() => undefined);
  await others('totals').insert({ name: 'by another one', value: 1 });
  expect(await written()).toEqual(['by another one']);
});

test('a statement that fails leaves its connection good, and the next one is stored', async () => {
  const { fence, as, written } = await open();
  const database = as(fence);
  await database('totals').insert({ name: 'once', value: 1 });

  for (let time = 0; time < 10; time += 1) {
    await expect(database('totals').insert({ name: 'once', value: 1 })).rejects.toThrow('duplicate key');
    await database('totals').insert({ name: `after ${time}`, value: 1 });
  }

  expect(await written()).toHaveLength(11);
});

/** @param isolation that transactions of this database have by default */
async function open(isolation = 'read committed') {
  const given = inject('postgres');
  if (given === undefined) throw new Error('there is no PostgreSQL in this run');
  const own = await serverDatabase(given);
  const name = own.config.postgres?.database;
  await administer(given, `ALTER DATABASE "${name}" SET default_transaction_isolation = '${isolation}'`);
  const holder = await openDatabase(choiceOf(own.config), systemClock);
  const { fence } = holder.claim;
  if (fence === undefined) throw new Error('the database is on PostgreSQL');
  const server = databaseServer(choiceOf(own.config));
  const others = own.connect();
  const opened = [others];
  onTestFinished(async () => {
    for (const each of opened) await each.destroy();
    await holder.close();
    await own[Symbol.asyncDispose]();
  });
  return {
    fence,
    others,
    /** The connections of a process that takes itself for this one. */
    as: (claimed: Fence) => {
      const database = server.connect('serve', trusting(claimed));
      opened.push(database);
      return database;
    },
    written: async (): Promise<string[]> => others('totals').orderBy('name').pluck('name'),
  };
}

/** A claim that is always trusted, as by a process whose clock stood still with its machine. */
function trusting(fence: Fence): Claim {
  return {
    fence,
    isTrusted: () => true,
    onDoubt: () => undefined,
    onLost: () => undefined,
    release: async () => undefined,
  };
}
