import { expect, test } from 'vitest';
import { ACCEPT_WAIT_MAX_MS, POSTS_PER_WINDOW } from '../../../../src/connector/domain/limits.ts';
import { Pacing } from '../../../../src/connector/domain/pacing.ts';
import { RetryLater } from '../../../../src/connector/errors.ts';
import { SendAdmission } from '../../../../src/connector/presence/send-admission.ts';

/** Longest time from the acceptance of a send to its end, in milliseconds. */
const SETTLED_MS = 30_000;

test('on a quiet account the posts of a minute are accepted together, the last of them after a short wait', () => {
  const { admit, turnOf } = account();

  const outcomes = [];
  for (let count = 0; count < POSTS_PER_WINDOW; count += 1) outcomes.push(admit(1));

  expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(2);
  expect(turnOf(0)).toBeLessThan(SETTLED_MS);
});

test('right after going online in several channels all posts of a minute are accepted, too', () => {
  const { admit } = account({ joined: 5 });

  for (let count = 0; count < POSTS_PER_WINDOW; count += 1) admit(1);
});

test('a message of several lines is let in by its last line', () => {
  const { admit } = account();

  expect(admit(18)).toBe('at once');
  expect(admit(5)).toBe('held');
});

test('a send that would wait too long is refused, with the time to try again', () => {
  const { admit, turnOf } = account();
  admit(18);

  const { retryAfterSeconds } = refusalOf(() => admit(30));

  expect(turnOf(30) - retryAfterSeconds * 1_000 - ACCEPT_WAIT_MAX_MS).toBeLessThanOrEqual(26_000);
});

/** The sends of an account, let in one after the other without time going by. */
function account({ joined }: { joined?: number } = {}) {
  const pacing = new Pacing(0);
  if (joined !== undefined) pacing.connected(joined, 0);
  let admitted = 0;
  const admission = new SendAdmission();
  return {
    admit: (lineCount: number): 'at once' | 'held' => {
      const turnOf = (more: number) => pacing.turnOf(admitted + more, 0);
      if (admission.admit({ lineCount, waitingCount: admitted, turnOf }) !== undefined) return 'held';
      admitted += lineCount;
      return 'at once';
    },
    turnOf: (lineCount: number) => pacing.turnOf(admitted + lineCount, 0),
  };
}

function refusalOf(act: () => unknown): RetryLater {
  try {
    act();
  } catch (error) {
    if (error instanceof RetryLater) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
