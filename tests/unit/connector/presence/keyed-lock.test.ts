import { expect, test } from 'vitest';
import { KeyedLock } from '../../../../src/connector/presence/keyed-lock.ts';

test('tasks with the same key run one after the other in order, also after one that fails; others do not wait', async () => {
  const lock = new KeyedLock();
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
