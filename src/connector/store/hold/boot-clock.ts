import { uptime } from 'node:os';
import { type Clock, systemClock } from '../../../kernel/clock.ts';

/** Age after which the time since the machine's start is read again, because a read costs 40 µs, */
const READ_AGAIN_MS = 100;
/** and drift of the wall clock against the clock that stops in a suspended machine, after which it is read at once. */
const MOVED_MS = 20;

/**
 * Creates a clock in milliseconds from an arbitrary start that also runs while the machine is suspended: `monotonic`
 * stops then. It never steps back and can't be set. A machine that is frozen from outside, as by its hypervisor, may
 * not notice that at all.
 * @param uptimeSeconds since the machine started; it goes on while the machine is suspended
 */
export function createBootClock(clock: Clock = systemClock, uptimeSeconds: () => number = uptime): () => number {
  let aheadMs = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  let wallAheadMs = Number.NaN;
  return () => {
    const now = clock.monotonic();
    const movedMs = Math.abs(clock.now() - now - wallAheadMs);
    if (!(movedMs <= MOVED_MS) || now - readAt > READ_AGAIN_MS) {
      // Without /proc/uptime the system rounds the value down to whole seconds.
      aheadMs = Math.max(aheadMs, uptimeSeconds() * 1_000 - now);
      readAt = now;
      wallAheadMs = clock.now() - now;
    }
    return now + aheadMs;
  };
}
