import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the nightly tests, and in the slice of their fuzz tests that the long tests run. */
    inDepth?: 'all' | 'slice';
  }
}

/** `npm test` does one of this many runs of most fuzz tests. */
const SHARE = 5;

/** Number of runs: all at night, otherwise one in `share`, and five times as many in the slice of the long tests. */
export function fuzzRuns(all: number, share = SHARE): number {
  const depth = inject('inDepth');
  if (depth === 'all') return all;
  const usual = Math.ceil(all / share);
  return depth === 'slice' ? Math.min(all, SHARE * usual) : usual;
}

/** The part of `all` that this run proves: all of it at night, else what `slice` gives. */
export const inDepthOr = <T>(all: readonly T[], slice: () => T[]): readonly T[] =>
  inject('inDepth') === 'all' ? all : slice();
