import { expect, test } from 'vitest';
import { Cache } from '../../../../src/connector/store/cache.ts';

const from = (value: string) => async () => ({ value });

test('a value is not read again until something changes', async () => {
  const kept = new Cache<{ value: string }>();

  await kept.read('a', from('first'));

  expect(await kept.read('a', from('second'))).toEqual({ value: 'first' });
  await kept.change(async () => undefined);
  expect(await kept.read('a', from('third'))).toEqual({ value: 'third' });
});

test('a value read during a change is not kept', async () => {
  const kept = new Cache<{ value: string }>();
  const reading = Promise.withResolvers<{ value: string }>();
  const changing = Promise.withResolvers<void>();

  const early = kept.read('a', () => reading.promise);
  const change = kept.change(() => changing.promise);
  await kept.read('b', from('during'));
  reading.resolve({ value: 'outdated' });
  await early;
  changing.resolve();
  await change;

  expect(await kept.read('a', from('new'))).toEqual({ value: 'new' });
  expect(await kept.read('b', from('new'))).toEqual({ value: 'new' });
});

test('a change that fails is followed by reading anew, too, and what is missing is asked for each time', async () => {
  const kept = new Cache<{ value: string }>();
  await kept.read('a', from('old'));

  await expect(kept.change(() => Promise.reject(new Error('full')))).rejects.toThrow('full');

  expect(await kept.read('a', async () => undefined)).toBeUndefined();
  expect(await kept.read('a', from('new'))).toEqual({ value: 'new' });
});

test('a bounded number of values is kept', async () => {
  const kept = new Cache<{ value: string }>();
  for (let n = 0; n < 2_001; n += 1) await kept.read(String(n), from('old'));

  expect(await kept.read('0', from('new'))).toEqual({ value: 'new' });
  expect(await kept.read('2000', from('new'))).toEqual({ value: 'old' });
});
