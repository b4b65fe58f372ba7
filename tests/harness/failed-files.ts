import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { FAILED_FILES_VARIABLE, type RunRecord } from '../../scripts/test/run-record.ts';
import { unexpectedSkips } from './expected-skips.ts';

/**
 * Writes which files of tests failed, for the runner that gives them a second look. It writes when the process of the
 * run ends, after all clean-up: a run that ends before leaves no record.
 */
export default class FailedFiles implements Reporter {
  #vitest: Vitest | undefined;
  #filesToRun = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#filesToRun = specifications.length;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env[FAILED_FILES_VARIABLE];
    if (file === undefined || this.#vitest === undefined) return;
    const record = recordOf(modules, errors, this.#vitest);
    const missing = this.#filesToRun - modules.length;
    if (missing > 0) record.faults.push(`${missing} files of tests did not run`);
    this.#vitest.onClose(() => writeAtTheEnd(file, record));
  }
}

function recordOf(modules: readonly TestModule[], errors: readonly SerializedError[], vitest: Vitest): RunRecord {
  const places = errors.map((error) => placeOf(error));
  const failed = modules.filter(
    (module) => !['passed', 'skipped'].includes(module.state()) || places.includes(module.moduleId),
  );
  const known = new Set(modules.map(({ moduleId }) => moduleId));
  return {
    failed: failed.map((module) => ({
      project: module.project.name,
      file: relative(vitest.config.root, module.moduleId),
    })),
    tests: modules.flatMap(({ children }) => [...children.allTests('passed'), ...children.allTests('failed')]).length,
    faults: [
      ...unexpectedSkips(modules, vitest).map(({ name, reason }) => `skipped: ${name}: ${reason}`),
      ...errors
        .filter((error) => !known.has(placeOf(error) ?? ''))
        .map(({ message }) => `an error outside of the tests: ${message}`),
    ],
  };
}

/**
 * Called when the set-ups of the run have cleaned up. Vitest tells of their errors only by the exit status, as it does
 * of failed tests, so the tests' part of it is set aside until the end.
 */
function writeAtTheEnd(file: string, record: RunRecord): void {
  const statusOfTests = process.exitCode;
  process.exitCode = 0;
  process.once('exit', (status) => {
    if (status === 0) process.exitCode = statusOfTests;
    else record.faults.push('an error after the tests, while the run cleaned up; it is shown above');
    writeFileSync(file, JSON.stringify(record));
  });
}

/** The file whose tests ran when an error that no test caught was thrown. */
const placeOf = (error: SerializedError): string | undefined => {
  const place: unknown = error['VITEST_TEST_PATH'];
  return typeof place === 'string' ? place : undefined;
};
