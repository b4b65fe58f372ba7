import { expect, test } from 'vitest';
import { Places } from '../../../src/connector/places.ts';
import { PlacesByKey } from '../../../src/connector/places-by-key.ts';
import { WindowsByKey } from '../../../src/connector/webhooks/windows-by-key.ts';

const refusal = () => new Error('no place');

test('a line that is full, and one that takes too long, refuse', async () => {
  const places = new Places(1, { max: 1, waitMaxMs: 20, refusal });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = places.use(() => promise);
  const waiting = places.use(async () => 'never');
  const beyond = places.use(async () => 'never');

  await expect(beyond).rejects.toThrow('no place');
  await expect(waiting).rejects.toThrow('no place');
  resolve('done');
  expect(await first).toBe('done');
  expect(await places.use(async () => 'next')).toBe('next');
  expect(places.isIdle).toBe(true);
});

test('work that fails gives its place to the caller that waits longest', async () => {
  const places = new Places(1);
  const order: string[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const failing = places.use(() => promise);
  const others = ['one', 'two'].map((name) => places.use(async () => void order.push(name)));

  reject(new Error('failed'));

  await expect(failing).rejects.toThrow('failed');
  await Promise.all(others);
  expect(order).toEqual(['one', 'two']);
});

test('keys have windows of their own, and ten thousand others are not all remembered', () => {
  const windows = new WindowsByKey(1, 1_000);

  expect([windows.take('a', 0), windows.take('a', 0), windows.take('b', 0)]).toEqual([0, 1_000, 0]);
  for (let n = 0; n < 10_000; n += 1) windows.take(`host-${n}`, 0);
  expect(windows.take('a', 0)).toBe(0);
});

test('keys have places and lines of their own', async () => {
  const places = new PlacesByKey(1, { max: 1, waitMaxMs: 60_000, refusal });
  const { promise, resolve } = Promise.withResolvers<string>();
  const [taking, waiting] = [places.use('a', () => promise), places.use('a', async () => 'next')];

  await expect(places.use('a', async () => 'never')).rejects.toThrow('no place');
  expect(await places.use('b', async () => 'at once')).toBe('at once');
  resolve('done');
  expect([await taking, await waiting]).toEqual(['done', 'next']);
});
