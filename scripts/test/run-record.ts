/** Variable that names the file for the record of a run. */
export const FAILED_FILES_VARIABLE = 'HOMEPORT_FAILED_FILES';

/** A file of tests, and the project of `vitest.config.ts` that ran it. */
export interface TestFile {
  project: string;
  file: string;
}

/** Results of one run of vitest. Only a run that reached its end, after all clean-up, leaves one. */
export interface RunRecord {
  /** Files with a failed test, an error outside of their tests, or no result. */
  failed: TestFile[];
  /** Number of tests that passed or failed; skipped ones don't count. */
  tests: number;
  /** Reasons for which the run fails, independent of its files. */
  faults: string[];
}
