import type { Clock } from '../../kernel/clock.ts';
import { CLOCKS_DIFFER_MS } from '../domain/limits.ts';

/** Time after which a clock that is wrong at a machine's start has been corrected by a time server. */
const STEADY_MS = 5 * 60_000;

/**
 * Returns a test for whether the wall clock has run for some minutes without a step: since the start, and since it was
 * last set. Rows removed because of their age are lost, so a clock that is a year ahead for seconds must not decide it.
 * @returns a function to call at least before each use; a sleep of the machine counts as a step
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
