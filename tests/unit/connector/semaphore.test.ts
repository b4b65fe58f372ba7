import { expect, test } from 'vitest';
import { Semaphore } from '../../../src/connector/semaphore.ts';

test('no more than so many run at once, and all of a thousand run in the end, in their order', async () => {
  const semaphore = new Semaphore(20);
  const begun: number[] = [];
  let running = 0;
  let most = 0;

  await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      semaphore.use(async () => {
        begun.push(n);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    ),
  );

  expect(most).toBe(20);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(begun).toHaveLength(1_000);
});

test('a task that fails gives its place to the next', async () => {
  const semaphore = new Semaphore(1);
  const failed = semaphore.use(() => Promise.reject(new Error('no')));
  const next = semaphore.use(async () => 'next');

  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});
