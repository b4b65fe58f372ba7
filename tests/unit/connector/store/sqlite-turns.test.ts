import { expect, test } from 'vitest';
import { subscribed } from '../../../harness/mentions.ts';
import { openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const LEASE_MS = 120_000;

test('whose turn a delivery is is not asked on the one connection that writes', async () => {
  await using open = await openStore();
  await subscribed(open, await open.account('ada'));
  const onWriter = { database: open.database, readers: open.database };

  expect(await statementsOf(onWriter, () => open.store.deliveries.take(32, LEASE_MS))).toEqual([]);
});
