import { uptime } from 'node:os';
import { type Clock, systemClock } from '../../../kernel/clock.ts';

/** Reading the time since the machine started costs 40 µs: it is read again after this long, */
const READ_AGAIN_MS = 100;
/** and at once when the wall clock has moved by more than this against the clock that stands still in a suspended machine. */
const MOVED_MS = 20;

/**
 * Milliseconds from an arbitrary start, with those in which the machine was suspended: `monotonic` stands still then. It never
 * steps back, and nobody can set it. A machine that is frozen from outside, as by its hypervisor, may not notice that at all.
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
      // Without /proc/uptime the system rounds it down to whole seconds.
      aheadMs = Math.max(aheadMs, uptimeSeconds() * 1_000 - now);
      readAt = now;
      wallAheadMs = clock.now() - now;
    }
    return now + aheadMs;
  };
}
