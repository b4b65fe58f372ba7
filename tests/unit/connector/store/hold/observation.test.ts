import { expect, test } from 'vitest';
import { DEAD_AFTER_MS, Observation, type Sight } from '../../../../../src/connector/store/hold/observation.ts';

const sight = (change: Partial<Sight>): Sight => ({
  processId: 'a',
  fence: 1,
  seenAt: 1_000,
  databaseNow: 1_000,
  ...change,
});

test('a process is dead when both the clock of the database and our own say so', () => {
  const observation = new Observation();

  expect(observation.isDead(sight({ databaseNow: 1_000 + DEAD_AFTER_MS }), 0)).toBe(false);
  expect(observation.isDead(sight({ databaseNow: 1_000 + DEAD_AFTER_MS }), DEAD_AFTER_MS - 1)).toBe(false);
  expect(observation.isDead(sight({ databaseNow: 1_000 + DEAD_AFTER_MS - 1 }), DEAD_AFTER_MS)).toBe(false);
  expect(observation.isDead(sight({ databaseNow: 1_000 + DEAD_AFTER_MS }), DEAD_AFTER_MS)).toBe(true);
});

test.each<[string, Partial<Sight>]>([
  ['a later heartbeat', { seenAt: 1_001 }],
  ['an earlier one, as a standby has that was promoted', { seenAt: 999 }],
  ['another process', { processId: 'b' }],
  ['another number', { fence: 2 }],
  ['a row that is gone', { seenAt: undefined }],
])('%s begins the time anew', (_what, change) => {
  const observation = new Observation();
  const databaseNow = 60_000;
  observation.isDead(sight({ databaseNow }), 0);

  expect(observation.isDead(sight({ databaseNow, ...change }), DEAD_AFTER_MS)).toBe(false);
  expect(observation.isDead(sight({ databaseNow, ...change }), 2 * DEAD_AFTER_MS - 1)).toBe(false);
  expect(observation.isDead(sight({ databaseNow, ...change }), 2 * DEAD_AFTER_MS)).toBe(true);
});
