import { expect, test } from 'vitest';
import { SerialQueue } from '../../../../src/connector/presence/serial-queue.ts';

test('tasks run one at a time in the order they were added', async () => {
  const queue = new SerialQueue(10);
  const events: string[] = [];
  const { promise: first, resolve: finishFirst } = Promise.withResolvers<void>();

  const a = queue.run(async () => {
    events.push('a begins');
    await first;
    events.push('a ends');
  });
  const b = queue.run(() => {
    events.push('b');
    return 'result';
  });
  finishFirst();

  expect(await b).toBe('result');
  await a;
  expect(events).toEqual(['a begins', 'a ends', 'b']);
});

test('a failed task rejects its caller and the next one runs', async () => {
  const queue = new SerialQueue(10);

  const failed = queue.run(() => Promise.reject(new Error('no')));
  const next = queue.run(() => 'yes');

  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
  expect(queue.size).toBe(0);
});

test('a full queue refuses instead of growing', async () => {
  const queue = new SerialQueue(1);
  const { promise, resolve } = Promise.withResolvers<void>();

  const waiting = queue.run(() => promise);

  expect(() => queue.run(() => undefined)).toThrow(RangeError);
  resolve();
  await waiting;
  await expect(queue.run(() => 'free again')).resolves.toBe('free again');
});
