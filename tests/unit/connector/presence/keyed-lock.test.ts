import { expect, test } from 'vitest';
import { KeyedLock } from '../../../../src/connector/presence/keyed-lock.ts';

const WAITING_MAX = 3;

test('tasks with the same key run one after the other in order, also after one that fails; others do not wait', async () => {
  const lock = new KeyedLock(WAITING_MAX);
  const first = Promise.withResolvers<void>();
  const done: string[] = [];
  const task = (name: string, until?: Promise<void>) => async (): Promise<string> => {
    await until;
    done.push(name);
    if (name === 'fails') throw new Error('it fails');
    return name;
  };

  const held = [
    lock.use('a', task('first', first.promise)),
    lock.use('a', task('fails')),
    lock.use('a', task('third')),
  ];
  expect(await lock.use('b', task('other'))).toBe('other');
  expect(done).toEqual(['other']);
  first.resolve();

  expect((await Promise.allSettled(held)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(done).toEqual(['other', 'first', 'fails', 'third']);
  expect(await lock.use('a', task('again'))).toBe('again');
});

test('of tasks with the same key only so many may wait; a further one is refused, until one has ended', async () => {
  const lock = new KeyedLock(WAITING_MAX);
  const ends = Array.from({ length: WAITING_MAX + 2 }, () => Promise.withResolvers<number>());
  const held = ends.slice(0, WAITING_MAX + 1).map(({ promise }) => lock.use('a', () => promise));

  await expect(lock.use('a', async () => 0)).rejects.toMatchObject({ code: 'account_busy', retryAfterSeconds: 5 });
  expect(await lock.use('b', async () => 0)).toBe(0);
  ends[0]?.resolve(0);
  await held[0];
  const last = lock.use('a', async () => WAITING_MAX + 1);
  await expect(lock.use('a', async () => 0)).rejects.toMatchObject({ code: 'account_busy' });

  ends.forEach(({ resolve }, n) => void resolve(n));
  expect(await Promise.all([...held, last])).toEqual(Array.from({ length: WAITING_MAX + 2 }, (_, n) => n));
});
