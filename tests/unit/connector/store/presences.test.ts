import { expect, test } from 'vitest';
import { openStore } from '../../../harness/open-store.ts';

test('a session is told with its beginning until it ends, and none outlasts the process that held it', async () => {
  await using open = await openStore();
  const { presences } = open.store;
  const [ada, bob] = [await open.account('ada'), await open.account('bob')];
  const since = () => Promise.all([presences.sessionSince(ada), presences.sessionSince(bob)]);

  expect(await since()).toEqual([null, null]);
  await presences.began(ada, 1_000);
  await presences.began(bob, 2_000);
  expect(await since()).toEqual([1_000, 2_000]);
  await presences.began(ada, 3_000);
  await presences.ended(bob);
  expect(await since()).toEqual([3_000, null]);
  await presences.endAll();
  expect(await since()).toEqual([null, null]);
});
