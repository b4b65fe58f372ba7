import type { Clock } from '../../../kernel/clock.ts';
import type { TimerState } from './systemd-answers.ts';

/**
 * Properties of a timer and the unit it starts, times in microseconds; 0 and infinity mean that there is no such time.
 */
export interface TimerFacts {
  service: string;
  timerSub: string;
  serviceActive: string;
  exitStatus: number;
  lastTriggerUs: number;
  nextRealtimeUs: number;
  /** Time on the clock that counts from boot and stands still while the machine sleeps. */
  nextMonotonicUs: number;
}

/** An instant on both clocks. */
export interface Instant {
  realtimeUs: number;
  monotonicUs: number;
}

const US_PER_SECOND = 1_000_000;

/** Infinity in systemd's unsigned 64-bit times, as the nearest double. */
const INFINITY_US = 2 ** 64;

/** States between dead and failed, in which processes of a unit run. */
const RUNNING_STATES: readonly string[] = ['active', 'activating', 'reloading', 'deactivating'];

/** The monotonic clock is that of the kernel, which systemd uses, and not of this process. */
export function instantOf(clock: Pick<Clock, 'now'>): Instant {
  return { realtimeUs: clock.now() * 1000, monotonicUs: Number(process.hrtime.bigint() / 1000n) };
}

/** @spec agent#resources-and-their-fields what a timer adds */
export function timerState(facts: TimerFacts, now: Instant): TimerState {
  const { nextMonotonicUs } = facts;
  const next = [
    secondOf(facts.nextRealtimeUs),
    // The two clocks are not read at the same time: only the nearest second is sure.
    isMoment(nextMonotonicUs) ? Math.round((nextMonotonicUs - now.monotonicUs + now.realtimeUs) / US_PER_SECOND) : 0,
  ].filter((seconds) => seconds > 0);
  return {
    service: facts.service,
    running: facts.timerSub === 'running' || RUNNING_STATES.includes(facts.serviceActive),
    exitStatus: facts.exitStatus,
    lastRun: secondOf(facts.lastTriggerUs),
    nextRun: next.length === 0 ? 0 : Math.min(...next),
  };
}

/** The Unix second of a moment; 0 if there is no moment. */
function secondOf(us: number): number {
  return isMoment(us) ? Math.floor(us / US_PER_SECOND) : 0;
}

function isMoment(us: number): boolean {
  return us > 0 && us < INFINITY_US;
}
