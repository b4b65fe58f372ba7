import { expect, test } from 'vitest';
import { Cache, type CacheBounds } from '../../../../src/connector/store/cache.ts';
import { createInvalidations } from '../../../../src/connector/store/shared-invalidations.ts';

interface Value {
  text: string;
}

const of = (text: string) => async () => ({ text });

test('a value is not read again until what it was read from changes, and others stay', async () => {
  const { read, tell } = open();
  await read('a', of('first'));
  await read('b', of('first'));

  expect(await read('a', of('second'))).toEqual({ text: 'first' });
  tell('a');

  expect(await read('a', of('third'))).toEqual({ text: 'third' });
  expect(await read('b', of('third'))).toEqual({ text: 'first' });
});

test('a value that was being read when it was invalidated is not given to later callers', async () => {
  const { read, tell } = open();
  const reading = Promise.withResolvers<Value>();

  const early = read('a', () => reading.promise);
  tell('a');
  const late = read('a', of('new'));
  reading.resolve({ text: 'old' });

  expect(await early).toEqual({ text: 'old' });
  expect(await late).toEqual({ text: 'new' });
  expect(await read('a', of('newer'))).toEqual({ text: 'new' });
});

test('those who ask while a value is being read wait for the same', async () => {
  const { read } = open();
  const reading = Promise.withResolvers<Value>();
  let readings = 0;
  const load = () => {
    readings += 1;
    return reading.promise;
  };

  const values = Promise.all([read('a', load), read('a', load)]);
  reading.resolve({ text: 'once' });

  expect(await values).toEqual([{ text: 'once' }, { text: 'once' }]);
  expect(readings).toBe(1);
});

test('a value of two topics is dropped when either is invalidated, and one of another key is not', async () => {
  const invalidations = createInvalidations();
  const cache = new Cache<Value, 'entries' | 'cursors'>(invalidations, ['entries', 'cursors']);
  const read = (text: string) => cache.read('a', { entries: 'ada', cursors: 'one' }, of(text));

  await read('first');
  invalidations.invalidate('entries', 'one');
  invalidations.invalidate('cursors', 'ada');
  expect(await read('second')).toEqual({ text: 'first' });

  invalidations.invalidate('entries', 'ada');
  expect(await read('second')).toEqual({ text: 'second' });
  invalidations.invalidate('cursors', 'one');
  expect(await read('third')).toEqual({ text: 'third' });
});

test('a missing or unreadable value is read for each caller', async () => {
  const { read } = open();

  expect(await read('a', async () => undefined)).toBeUndefined();
  await expect(read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');

  expect(await read('a', of('there'))).toEqual({ text: 'there' });
});

test('a bounded number of values is in memory', async () => {
  const { read } = open({ max: 3 });
  for (const key of ['a', 'b', 'c', 'd']) await read(key, of('old'));

  expect(await read('d', of('new'))).toEqual({ text: 'old' });
  expect(await read('b', of('new'))).toEqual({ text: 'old' });
  expect(await read('a', of('new'))).toEqual({ text: 'new' });
});

test('all people who may have an account find their values in memory, with readers in turn', async () => {
  const { read } = open();
  for (let n = 0; n < 10_000; n += 1) await read(String(n), of('old'));

  expect(await read('0', of('new'))).toEqual({ text: 'old' });
  expect(await read('9999', of('new'))).toEqual({ text: 'old' });
});

/** A process whose period and time the test sets. */
function openShared(bounds?: CacheBounds) {
  const shared = { period: undefined as number | undefined, now: 1_000 };
  const invalidations = createInvalidations({ alone: () => shared.period, sinceBoot: () => shared.now });
  const cache = new Cache<Value, 'account'>(invalidations, ['account'], bounds);
  return { shared, cache, read: (load: () => Promise<Value | undefined>) => cache.read('a', { account: 'a' }, load) };
}

test('while other processes write, a value is used for half a second after its reading began', async () => {
  const { shared, read } = openShared();
  const reading = Promise.withResolvers<Value>();
  const first = read(() => reading.promise);
  shared.now += 300;
  reading.resolve({ text: 'first' });
  await first;

  shared.now += 199;
  expect(await read(of('second'))).toEqual({ text: 'first' });
  shared.now += 1;
  expect(await read(of('third'))).toEqual({ text: 'third' });
});

test('a value that takes long to read is not waited for by those who ask half a second later', async () => {
  const { shared, read } = openShared();
  const reading = Promise.withResolvers<Value>();
  const slow = read(() => reading.promise);

  shared.now += 500;
  expect(await read(of('new'))).toEqual({ text: 'new' });
  reading.resolve({ text: 'old' });

  expect(await slow).toEqual({ text: 'old' });
  expect(await read(of('newer'))).toEqual({ text: 'new' });
});

test('a value that must be current is read each time while other processes write, and is kept by a process that is alone', async () => {
  const { shared, cache, read } = openShared({ isStrict: true });
  expect(cache.keeps).toBe(false);
  expect(await read(of('first'))).toEqual({ text: 'first' });
  expect(await read(of('second'))).toEqual({ text: 'second' });
  expect(cache.known('a')).toBeUndefined();

  shared.period = 1;
  expect(cache.keeps).toBe(true);
  expect(await read(of('third'))).toEqual({ text: 'third' });
  expect(await read(of('fourth'))).toEqual({ text: 'third' });
  shared.period = undefined;

  expect(await read(of('fifth'))).toEqual({ text: 'fifth' });
});

test('a process that is alone again uses no value from before', async () => {
  const { shared, read } = openShared();
  shared.period = 1;
  await read(of('alone'));
  shared.period = undefined;
  expect(await read(of('ignored'))).toEqual({ text: 'alone' });

  shared.period = 2;
  expect(await read(of('again'))).toEqual({ text: 'again' });
  shared.now += 1_000_000;
  expect(await read(of('later'))).toEqual({ text: 'again' });

  shared.period = undefined;
  expect(await read(of('shared'))).toEqual({ text: 'shared' });
});

function open(bounds?: CacheBounds) {
  const invalidations = createInvalidations();
  const cache = new Cache<Value, 'account'>(invalidations, ['account'], bounds);
  return {
    read: (key: string, load: () => Promise<Value | undefined>) => cache.read(key, { account: key }, load),
    tell: (key: string) => invalidations.invalidate('account', key),
  };
}
