import { afterEach, expect, test, vi } from 'vitest';
import type { Subject } from '../../../../src/connector/ports/invalidations.ts';
import { createInvalidations, invalidating } from '../../../../src/connector/store/shared-invalidations.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a change is published when it is stored and not before, with all that turned out to change', async () => {
  const { invalidations, told } = listening();
  const storing = Promise.withResolvers<string>();
  const subjects: Subject[] = [['account', 'ada']];

  const change = invalidating(invalidations, subjects, () => storing.promise);
  subjects.push(['entries', 'bob']);
  await Promise.resolve();
  expect(told).toEqual([]);
  storing.resolve('stored');

  expect(await change).toBe('stored');
  expect(told).toEqual(['account ada', 'entries bob']);
});

test('a failed change is published at once, and once more when it can have no effect any more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { invalidations, told } = listening();

  const change = invalidating(invalidations, [['account', 'ada']], () => Promise.reject(new Error('no answer')));

  await expect(change).rejects.toThrow('no answer');
  expect(told).toEqual(['account ada']);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(['account ada', 'account ada']);
});

function listening() {
  const invalidations = createInvalidations();
  const told: string[] = [];
  invalidations.on('account', (key) => told.push(`account ${key}`));
  invalidations.on('entries', (key) => told.push(`entries ${key}`));
  return { invalidations, told };
}
