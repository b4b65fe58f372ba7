import pino from 'pino';
import { expect, test } from 'vitest';
import { Lifecycle } from '../../../src/kernel/lifecycle.ts';

test('parts are closed once, in the reverse order of their opening, also when one fails', async () => {
  const { lifecycle, closed } = program('log', 'a part that fails', 'listener');

  await Promise.all([lifecycle.close(), lifecycle.close()]);

  expect(closed).toEqual(['listener', 'a part that fails', 'log']);
});

test('the part that must not go on is closed before those that may take their time', async () => {
  const { lifecycle, closed, ended } = program('log', 'database', 'sessions', 'listener', 'upkeep');

  lifecycle.endFailed('sessions');

  expect(await ended).toBe(1);
  expect(closed).toEqual(['sessions', 'upkeep', 'listener', 'database', 'log']);
});

test('the part that must not go on is closed at once also when the program ends already, and only once', async () => {
  const { lifecycle, closed, ended } = program('log', 'sessions');
  const requests = Promise.withResolvers<void>();
  lifecycle.add('listener', async () => {
    await requests.promise;
    closed.push('listener');
  });

  const closing = lifecycle.close();
  lifecycle.endFailed('sessions');
  expect(closed).toEqual(['sessions']);

  requests.resolve();
  await closing;
  expect(await ended).toBe(1);
  expect(closed).toEqual(['sessions', 'listener', 'log']);
});

test('a program that fails before the part was opened ends all the same', async () => {
  const { lifecycle, closed, ended } = program('log', 'database');

  lifecycle.endFailed('sessions');

  expect(await ended).toBe(1);
  expect(closed).toEqual(['database', 'log']);
});

test('a part that hangs is waited for no longer than it may take, and the others are closed', async () => {
  const { lifecycle, closed } = program('log', 'sessions');
  lifecycle.add('database', () => new Promise(() => undefined), 10);
  lifecycle.add('upkeep', async () => void closed.push('upkeep'), 10);

  await lifecycle.close();

  expect(closed).toEqual(['upkeep', 'sessions', 'log']);
});

/** A program of these parts, opened in this order, with what is closed so far. */
function program(...names: string[]) {
  const closed: string[] = [];
  const { promise: ended, resolve: exit } = Promise.withResolvers<number>();
  const lifecycle = new Lifecycle(pino({ level: 'silent' }), exit);
  for (const name of names) {
    lifecycle.add(name, () => {
      closed.push(name);
      if (name === 'a part that fails') throw new Error('it fails');
    });
  }
  return { lifecycle, closed, ended };
}
