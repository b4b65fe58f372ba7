import { beforeEach, expect } from 'vitest';
import { POST_WINDOW_MS, POSTS_PER_WINDOW } from '../../../../src/connector/domain/limits.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';
import { onlineInStore, sendOf } from '../../../harness/stored-sends.ts';

const test = testWithStore();

let accountId: string;
let serial = 0;

beforeEach(async () => {
  serial += 1;
  accountId = await open.account(`poster${serial}`);
  await onlineInStore(open, accountId);
});

test('twenty of forty posts at once through two processes are stored, and the others learn when to try again', async () => {
  const other = open.anew(open.clock);

  const outcomes = await Promise.allSettled(
    Array.from({ length: 2 * POSTS_PER_WINDOW }, (_, n) => post(n % 2 === 0 ? open.store : other)),
  );

  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refused).toHaveLength(POSTS_PER_WINDOW);
  for (const { code, retryAfterSeconds } of refused) {
    expect(code).toBe('rate_limited');
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(POST_WINDOW_MS / 1_000);
  }
  const stored = await open.database('messages').where('account_id', accountId);
  expect(stored).toHaveLength(POSTS_PER_WINDOW);
});

test('a restart forgets no posts, and other sends are no posts', async () => {
  await postAll(open.store);
  const afterRestart = open.anew(open.clock);

  await expect(post(afterRestart)).rejects.toMatchObject({ code: 'rate_limited' });

  expect(await post(afterRestart, false)).toMatchObject({ status: 'pending' });
});

test('a post that was not sent leaves its place to another one', async () => {
  const [first = ''] = await postAll(open.store);

  await open.store.messages.forgetPost(first);

  expect(await post(open.store)).toMatchObject({ status: 'pending' });
  await expect(post(open.store)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a clock that was set back for long leaves no account without posts', async () => {
  await postAll(open.store);
  await open
    .database('messages')
    .where('account_id', accountId)
    .increment('posted_at', 60 * POST_WINDOW_MS);

  expect(await post(open.store)).toMatchObject({ status: 'pending' });
});

test('posts are counted by an index of posts alone, of which only the last minute is read', async () => {
  await postAll(open.store);

  const plans = await plansOf(open, () => post(open.store, true).catch(() => undefined));

  const plan = plans.find((steps) => steps.join(' ').includes('messages_posted_index')) ?? [];
  expect(plan.filter((step) => /Index Cond: .*posted_at >|posted_at>\?/.test(step))).toHaveLength(1);
});

/** Stores a post through this store. */
async function post(store: Store, isPost = true) {
  const accepted = await store.messages.accept(sendOf(accountId, 'hello', { isPost }), () => undefined);
  if (!('message' in accepted)) throw new Error('it was not accepted');
  return accepted.message;
}

/** Stores as many posts as an account may make, and returns the ids of their messages. */
async function postAll(store: Store): Promise<string[]> {
  const posted: string[] = [];
  for (let n = 0; n < POSTS_PER_WINDOW; n += 1) posted.push((await post(store)).messageId);
  return posted;
}
