import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the nightly tests, and in the slice of them that the long tests run. */
    inDepth?: true;
  }
}

/** `npm test` does one of this many runs of most fuzz tests. */
const SHARE = 5;

/** Number of runs: all at night, otherwise one in `share`. */
export const fuzzRuns = (all: number, share = SHARE): number => (inject('inDepth') ? all : Math.ceil(all / share));

/** The part of `all` that this run proves: all of it at night, else what `slice` gives. */
export const inDepthOr = <T>(all: readonly T[], slice: () => T[]): readonly T[] => (inject('inDepth') ? all : slice());
