import { expect, test } from 'vitest';
import { Cache } from '../../../../src/connector/store/cache.ts';

const from = (value: string) => async () => ({ value });

test('a value is not read again until something changes', async () => {
  const cache = new Cache<{ value: string }>();

  await cache.read('a', from('first'));

  expect(await cache.read('a', from('second'))).toEqual({ value: 'first' });
  await cache.change(async () => undefined);
  expect(await cache.read('a', from('third'))).toEqual({ value: 'third' });
});

test('a change of one value leaves the others, and what is read of them meanwhile is kept', async () => {
  const cache = new Cache<{ value: string }>();
  const changing = Promise.withResolvers<void>();
  await cache.read('a', from('old'));
  await cache.read('b', from('old'));

  const change = cache.changeOne('a', () => changing.promise);
  await cache.read('a', from('during'));
  await cache.read('c', from('during'));
  changing.resolve();
  await change;

  expect(await cache.read('a', from('new'))).toEqual({ value: 'new' });
  expect(await cache.read('b', from('new'))).toEqual({ value: 'old' });
  expect(await cache.read('c', from('new'))).toEqual({ value: 'during' });
});

test('a value read during a change is not kept', async () => {
  const cache = new Cache<{ value: string }>();
  const reading = Promise.withResolvers<{ value: string }>();
  const changing = Promise.withResolvers<void>();

  const early = cache.read('a', () => reading.promise);
  const change = cache.change(() => changing.promise);
  await cache.read('b', from('during'));
  reading.resolve({ value: 'outdated' });
  await early;
  changing.resolve();
  await change;

  expect(await cache.read('a', from('new'))).toEqual({ value: 'new' });
  expect(await cache.read('b', from('new'))).toEqual({ value: 'new' });
});

test('a change that fails is followed by reading anew, too, and what is missing is asked for each time', async () => {
  const cache = new Cache<{ value: string }>();
  await cache.read('a', from('old'));

  await expect(cache.change(() => Promise.reject(new Error('full')))).rejects.toThrow('full');

  expect(await cache.read('a', async () => undefined)).toBeUndefined();
  expect(await cache.read('a', from('new'))).toEqual({ value: 'new' });
});

test('a bounded number of values is kept', async () => {
  const cache = new Cache<{ value: string }>();
  for (let n = 0; n < 2_001; n += 1) await cache.read(String(n), from('old'));

  expect(await cache.read('0', from('new'))).toEqual({ value: 'new' });
  expect(await cache.read('2000', from('new'))).toEqual({ value: 'old' });
});
