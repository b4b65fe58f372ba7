/** Set where long tests run by turns: each commit has a part of the files. */
export const TURN_VARIABLE = 'HOMEPORT_TESTS_IN_TURN';

export interface Suite {
  /** Projects in `vitest.config.ts`. */
  projects: readonly string[];
  /** Without arguments, long tests run by turns. */
  isInTurn?: true;
}

/** What `scripts/test/main.ts` runs, by name. */
export const suites: Readonly<Record<string, Suite>> = {
  quick: { projects: ['unit', 'integration', 'postgres'] },
  long: { projects: ['long*'], isInTurn: true },
  nightly: { projects: ['long*', 'nightly*'] },
};
