import { expect, test } from 'vitest';
import { DEAD_AFTER_MS, Observation, type Sight } from '../../../../../src/connector/store/hold/observation.ts';

const LOOK_MS = 2_000;

test('a process is dead when both the clock of the database and our own say so', () => {
  const observation = new Observation();
  const old = sight({ databaseNow: 1_000 + DEAD_AFTER_MS });

  expect(observation.isDead(old, 0)).toBe(false);
  expect(watch(observation, old, 0, DEAD_AFTER_MS - 1)).toBe(false);
  expect(observation.isDead(sight({ databaseNow: 1_000 + DEAD_AFTER_MS - 1 }), DEAD_AFTER_MS)).toBe(false);
  expect(observation.isDead(old, DEAD_AFTER_MS)).toBe(true);
});

test('time without a reading of the slot does not count', () => {
  const observation = new Observation();
  const old = sight({ databaseNow: 60_000 });
  watch(observation, old, 0, LOOK_MS);

  const back = 20_000;
  expect(observation.isDead(old, back)).toBe(false);
  expect(watch(observation, old, back, back + DEAD_AFTER_MS - 1)).toBe(false);
  expect(observation.isDead(old, back + DEAD_AFTER_MS)).toBe(true);
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
  const changed = sight({ databaseNow, ...change });
  watch(observation, sight({ databaseNow }), 0, DEAD_AFTER_MS - 1);

  expect(observation.isDead(changed, DEAD_AFTER_MS)).toBe(false);
  expect(watch(observation, changed, DEAD_AFTER_MS, 2 * DEAD_AFTER_MS - 1)).toBe(false);
  expect(observation.isDead(changed, 2 * DEAD_AFTER_MS)).toBe(true);
});

function sight(change: Partial<Sight>): Sight {
  return {
    processId: 'a',
    fence: 1,
    seenAt: 1_000,
    databaseNow: 1_000,
    ...change,
  };
}

/** Looks every two seconds, then at the last moment; what the last look says. */
function watch(observation: Observation, seen: Sight, fromMs: number, toMs: number): boolean {
  for (let ms = fromMs; ms < toMs; ms += LOOK_MS) observation.isDead(seen, ms);
  return observation.isDead(seen, toMs);
}
