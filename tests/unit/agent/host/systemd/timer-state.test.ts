import { expect, test } from 'vitest';
import { type TimerFacts, timerState } from '../../../../../src/agent/host/systemd/timer-state.ts';

const NEVER = 2 ** 64;
const now = { realtimeUs: 1_795_000_000_000_000, monotonicUs: 1_000_000_000 };

const facts = (rest: Partial<TimerFacts>): TimerFacts => ({
  service: 'a.service',
  timerSub: 'waiting',
  serviceActive: 'inactive',
  exitStatus: 0,
  lastTriggerUs: 0,
  nextRealtimeUs: 0,
  nextMonotonicUs: 0,
  ...rest,
});

for (const [what, rest, next] of [
  ['by the calendar alone', { nextRealtimeUs: 1_795_000_060_999_999, nextMonotonicUs: NEVER }, 1_795_000_060],
  ['by the time since boot alone', { nextMonotonicUs: 1_060_000_000 }, 1_795_000_060],
  [
    'by whichever comes first',
    { nextRealtimeUs: 1_795_000_090_000_000, nextMonotonicUs: 1_060_000_000 },
    1_795_000_060,
  ],
  ['never', { nextRealtimeUs: NEVER, nextMonotonicUs: NEVER }, 0],
] as const) {
  test(`a timer runs next ${what}`, () => expect(timerState(facts(rest), now).nextRun).toBe(next));
}

for (const [what, rest, running] of [
  ['whose own state says so', { timerSub: 'running' }, true],
  ['whose service is starting', { serviceActive: 'activating' }, true],
  ['whose service is active', { serviceActive: 'active' }, true],
  ['whose service has failed', { serviceActive: 'failed' }, false],
  ['whose service is not loaded', { serviceActive: '' }, false],
] as const) {
  test(`a timer ${what} is ${running ? '' : 'not '}running`, () =>
    expect(timerState(facts(rest), now).running).toBe(running));
}

test('the newest run is reported with its exit status', () => {
  const ran = facts({ exitStatus: 7, lastTriggerUs: 1_794_999_999_999_999 });

  expect(timerState(ran, now)).toMatchObject({ exitStatus: 7, lastRun: 1_794_999_999 });
});
