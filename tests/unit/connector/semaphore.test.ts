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

test('a number of places that becomes smaller or larger counts for the tasks that wait', async () => {
  let places = 3;
  const semaphore = new Semaphore(() => places);
  const ends: (() => void)[] = [];
  const begin = (): Promise<void> => semaphore.use(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const tasks = Array.from({ length: 6 }, begin);
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  expect(ends).toHaveLength(3);

  places = 1;
  await end();
  await end();
  expect(ends).toHaveLength(1);
  places = 2;
  await end();

  expect(ends).toHaveLength(2);
  places = 6;
  while (ends.length > 0) await end();
  await Promise.all(tasks);
});
