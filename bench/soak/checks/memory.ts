import type { Growth } from '../memory.ts';
import type { Violation } from '../observations.ts';
import { violation } from './violation.ts';

/** In a shorter time caches still fill. */
const LEAST_SECONDS = 600;
/** Caches and queues have bounds far below this. */
const MOST_MIB = 16;

/**
 * Checks that no program keeps more and more. The least of what is in use in the last third of the time, when all garbage is
 * collected, is compared with the greatest of the first third: what rises and falls has no part in it.
 */
export const checkMemory = (growths: readonly Growth[]): Violation[] =>
  growths.flatMap(({ name, pid, seconds, heap }) => {
    if (heap === undefined || seconds < LEAST_SECONDS || heap.laterMiB - heap.firstMiB <= MOST_MIB) return [];
    const [first, later] = [heap.firstMiB.toFixed(0), heap.laterMiB.toFixed(0)];
    const what = `${name} (${pid}) used at most ${first} MiB in the first third of ${seconds} s, and at least ${later} MiB in the last`;
    return [violation('memory grows', `${what}, expected at most ${MOST_MIB} MiB more`)];
  });
