import { expect, test } from 'vitest';

test('the program does not run when it is imported', async () => {
  const listening = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);

  const program = await import('../../../src/termprog/main.ts');

  expect(Object.keys(program)).toEqual(['main']);
  expect(process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`)).toEqual(listening);
});

test('a program that has ended listens to no signals', async () => {
  const { main } = await import('../../../src/termprog/main.ts');
  const before = process.listenerCount('SIGHUP');

  expect(await main(['-display', 'nonsense'], {})).toBe(1);
  expect(process.listenerCount('SIGHUP')).toBe(before);
});
