import { expect, test } from 'vitest';
import { BROWSER_SESSION_IDLE_MS, BROWSER_SESSION_MAX_MS } from '../../../../src/connector/domain/limits.ts';
import { openStore } from '../../../harness/open-store.ts';

test('browser sessions that have ended are removed a few at a time, and those that stand stay', async () => {
  await using open = await openStore();
  const { store, clock } = open;
  const accountId = await open.account('ada');
  const began = clock.now();
  const old = await store.browserSessions.create(accountId);
  for (let idle = 0; idle < 2; idle += 1) await store.browserSessions.create(accountId);
  // One is used again and again, until it is too old.
  for (let at = began; at < began + BROWSER_SESSION_MAX_MS; at += BROWSER_SESSION_IDLE_MS) {
    clock.set(at);
    expect(await store.browserSessions.use(old)).toMatchObject({ accountId });
  }
  clock.set(began + BROWSER_SESSION_MAX_MS + 1);
  const standing = await store.browserSessions.create(accountId);

  const removed = [];
  for (let step = 0; step < 3; step += 1) removed.push(await store.browserSessions.removeEnded(2));

  expect(removed).toEqual([2, 1, 0]);
  expect(await store.browserSessions.use(old)).toBeUndefined();
  expect(await store.browserSessions.use(standing)).toMatchObject({ accountId });
});
