import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../../src/connector/ports/store.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { DEAD_AFTER_MS } from '../../../../src/connector/store/hold/observation.ts';
import { beat, leave, readSlot } from '../../../../src/connector/store/hold/process-rows.ts';
import { takeSlot } from '../../../../src/connector/store/hold/take-slot.ts';
import { createStore } from '../../../../src/connector/store/index.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { migratedDatabase } from '../../../harness/migrated-database.ts';
import { statementsOf } from '../../../harness/statements.ts';
import { storeSend } from '../../../harness/stored-sends.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const MINUTE_MS = 60_000;

const process = (processId: string) => ({ processId, name: `${processId} on host`, version: '1' });

test('with the slot of a dead process it is noted which of its accounts have said something lately, and that outlasts the taker', async () => {
  const opened = await open();
  const { database, store } = opened;
  const ada = await opened.account('ada', MINUTE_MS);
  const bob = await opened.account('bob', 0);
  await opened.account('eve', 3 * MINUTE_MS);
  await opened.account('dan', undefined);
  await diedWithSlot(opened, 'a');

  expect(await takeSlot(database, process('b'), await readSlot(database))).toBeDefined();
  expect((await store.accounts.owedPasswords()).sort()).toEqual([ada, bob].sort());

  // The taker has got to one of them, and is stopped.
  await store.accounts.notePasswordKnown(bob);
  await leave(database, 'b');
  await takeSlot(database, process('c'), await readSlot(database));
  expect(await store.accounts.owedPasswords()).toEqual([ada]);

  await store.accounts.notePasswordKnown(ada);
  expect(await store.accounts.owedPasswords()).toEqual([]);
});

test.each(['has ended for certain', 'lives after all', 'has given it back'])(
  'no owed password is recorded when the slot is taken from a process that %s',
  async (how) => {
    const opened = await open();
    const { database, store } = opened;
    await opened.account('ada', 0);
    await diedWithSlot(opened, 'a');
    const seen = await readSlot(database);
    if (how === 'lives after all') await beat(database, process('a'), 0);
    if (how === 'has given it back') await leave(database, 'a');

    const now = how === 'has given it back' ? await readSlot(database) : seen;
    const taken = await takeSlot(database, process('b'), now, { isEnded: how === 'has ended for certain' });

    expect(taken === undefined).toBe(how === 'lives after all');
    expect(await store.accounts.owedPasswords()).toEqual([]);
  },
);

test('it is noted also in a database that an earlier version has left, which the taker brings up to date only then', async () => {
  const opened = await open();
  const { database, store } = opened;
  const ada = await opened.account('ada', 0);
  await diedWithSlot(opened, 'a');
  await database.schema.dropTable('owed_passwords');

  expect(await takeSlot(database, process('b'), await readSlot(database))).toBeDefined();

  expect(await store.accounts.owedPasswords()).toEqual([ada]);
});

test('accounts that have said something lately are found by the time of their lines: the lines before are not read', async () => {
  const opened = await open();
  const { database } = opened;
  await opened.account('ada', 0);
  await diedWithSlot(opened, 'a');
  const seen = await readSlot(database);
  const statements = await statementsOf({ database, readers: database }, () => takeSlot(database, process('b'), seen));
  const sql = statements.find((statement) => statement.includes('INTO owed_passwords')) ?? '';

  const plan: object[] = await database.transaction(async (transaction) => {
    if (database.client.driverName !== 'pg') return transaction.raw(`EXPLAIN QUERY PLAN ${sql}`);
    // As in each session of the program: a table of few rows would be read whole.
    await transaction.raw('SET LOCAL enable_seqscan = off');
    return (await transaction.raw(`EXPLAIN ${sql}`)).rows;
  });

  const steps = plan.map((step) => JSON.stringify(step));
  expect(steps.filter((step) => /Index Cond: .*created_at >=|created_at>\?/.test(step))).toHaveLength(1);
});

test('a removed account owes no password any more', async () => {
  const opened = await open();
  const { database, store } = opened;
  const ada = await opened.account('ada', 0);
  await diedWithSlot(opened, 'a');
  await takeSlot(database, process('b'), await readSlot(database));
  await database('accounts').where('account_id', ada).update({ removed_at: 1 });

  expect(await store.accounts.owedPasswords()).toEqual([]);
  expect(await database('owed_passwords').pluck('account_id')).toEqual([]);
});

async function open(): Promise<Opened> {
  const folder = await tempFolder();
  const own = await migratedDatabase(folder.path);
  const database = own.connect();
  onTestFinished(async () => {
    await database.destroy();
    await own[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const clock = { agoMs: 0, now: () => systemClock.now() - clock.agoMs, monotonic: systemClock.monotonic };
  const store = createStore({ database, readers: database }, createSeal(randomBytes(32)), clock);
  return {
    database,
    store,
    account: async (login, saidAgoMs) => {
      const made = await store.accounts.create({ login, nick: login, grants: [] }, 100);
      if (made === undefined) throw new Error('no account was made');
      const { accountId } = made;
      clock.agoMs = saidAgoMs ?? 0;
      const { messageId } = await storeSend(
        { database, clock },
        {
          ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
          ...{ channel: '#room', nick: login, text: 'hello', parts: [{ text: 'hello', tag: `tag of ${login}` }] },
        },
      );
      if (saidAgoMs !== undefined) await store.messages.setPartStatus({ messageId, number: 1 }, 'queued');
      clock.agoMs = 0;
      return accountId;
    },
  };
}

/** The first process has the slot, and is silent for as long as a dead one. */
async function diedWithSlot({ database }: Opened, processId: string): Promise<void> {
  await beat(database, process(processId), 0);
  expect(await takeSlot(database, process(processId), await readSlot(database))).toBeDefined();
  await database('processes').where('process_id', processId).decrement('seen_at', DEAD_AFTER_MS);
}

interface Opened {
  database: Knex;
  store: Store;
  /**
   * Makes an account that has said something `saidAgoMs` milliseconds ago, or whose line still waits for its turn where
   * this is undefined.
   */
  account(login: string, saidAgoMs: number | undefined): Promise<string>;
}
