import type { Clock } from '../../kernel/clock.ts';
import { CLOCKS_DIFFER_MS } from '../domain/limits.ts';

/** A machine whose clock is wrong at its start is put right within minutes, once it reaches a time server. */
const STEADY_MS = 5 * 60_000;

/**
 * Whether the wall clock has run for some minutes without a step: since the start, and since it was last set. What is removed
 * because of its age can't be had back, so that a clock which is a year ahead for seconds must not decide it.
 * @returns to be asked at least before each use; a sleep of the machine counts as a step
 */
export function steadiness(clock: Clock): () => boolean {
  const offsetNow = (): number => clock.now() - clock.monotonic();
  let offset = offsetNow();
  let since = clock.monotonic();
  return () => {
    const before = offset;
    offset = offsetNow();
    if (Math.abs(offset - before) > CLOCKS_DIFFER_MS) since = clock.monotonic();
    return clock.monotonic() - since >= STEADY_MS;
  };
}
