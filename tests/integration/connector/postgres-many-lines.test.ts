import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { arrivalLock } from '../../../src/connector/store/dialect.ts';
import { open, testWithStore } from '../../harness/fixtures/open-store.ts';

const ACCOUNTS = 12;
const NOTHING = { lines: [], isReplay: false, synced: new Set<string>() };

const test = testWithStore();

test('lines of many accounts at once leave half of the connections to requests, and are all stored', async () => {
  const accounts: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) accounts.push(await open.account(`person${n}`));
  const pool = open.database.client.pool as Pool;
  const { database: elsewhere } = open.beside({ alone: () => undefined, sinceBoot: () => 0 });
  const blocking = await elsewhere.transaction();
  const { capture } = open.store;
  let ended = 0;
  const store = async (accountId: string, n: number): Promise<void> => {
    const gap = { from: 1, to: 2, reason: 'disconnected' } as const;
    if (n % 2 === 0) await capture.ingest(accountId, 'main', NOTHING);
    else await capture.addGap(accountId, 'main', '#room', gap);
    ended += 1;
  };
  // As a mailbox does: the server waits five seconds for a lock.
  const storeAtLast = (accountId: string, n: number): Promise<void> =>
    store(accountId, n).catch(() => storeAtLast(accountId, n));
  let storing: Promise<void>[] = [];
  let seen: unknown;
  try {
    for (const accountId of accounts) {
      await blocking.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [arrivalLock(accountId)]);
    }
    storing = accounts.map(storeAtLast);
    await waitFor('some wait for the database', async () => {
      // Within a transaction the server would show the same sessions each time.
      const { rows }: { rows: unknown[] } = await elsewhere.raw(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length >= pool.max / 2;
    });
    seen = [ended, pool.numUsed(), pool.numPendingAcquires()];
  } finally {
    await blocking.rollback();
    await Promise.all(storing);
  }

  expect(seen).toEqual([0, pool.max / 2, 0]);
  expect(ended).toBe(ACCOUNTS);
});

interface Pool {
  max: number;
  numUsed(): number;
  numPendingAcquires(): number;
}
