import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set in the long tests. */
    hasTime?: true;
  }
}

/** Of so many runs of a fuzz test, `npm test` does one in this many. */
const SHARE = 5;

/** How often to run: the long tests do all of it. */
export const fuzzRuns = (all: number): number => (inject('hasTime') ? all : Math.ceil(all / SHARE));
