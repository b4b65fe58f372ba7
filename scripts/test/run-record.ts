/** Variable that names the file for the record of a run. */
export const RECORD_VARIABLE = 'HOMEPORT_TEST_RECORD';

/** File beside the record that is touched, at most once a second, whenever a test or hook begins or ends. */
export const progressOf = (recordFile: string): string => `${recordFile}.progress`;

/** A file of tests, and the project of `vitest.config.ts` that ran it. */
export interface TestFile {
  project: string;
  file: string;
}

export interface FailedFile extends TestFile {
  /** Full names of its tests, also of those that did not begin; a name that several have comes as often. */
  tests: string[];
}

/** Results of one run of vitest. Only a run that reached its end, after all clean-up, leaves one. */
export interface RunRecord {
  /** Paths of all files that ran, relative to the checkout. */
  files: string[];
  /** Files with a failed test, an error outside of their tests, or no result. */
  failed: FailedFile[];
  /** Full names of the tests that passed. */
  passed: string[];
  /** Full names of those that were skipped for a reason. */
  skipped: string[];
  /** Reasons for which the run fails, independent of its files. */
  faults: string[];
}
