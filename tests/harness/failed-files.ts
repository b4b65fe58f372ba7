import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { FAILED_FILES_VARIABLE, type RunRecord } from '../../scripts/test/run-record.ts';
import { unexpectedSkips } from './expected-skips.ts';

/** Writes which files of tests failed, for the runner that gives them a second look. */
export default class FailedFiles implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env[FAILED_FILES_VARIABLE];
    if (file === undefined || this.#vitest === undefined) return;
    const { root } = this.#vitest.config;
    const places = errors.map((error) => placeOf(error));
    const failed = modules.filter(
      (module) => !['passed', 'skipped'].includes(module.state()) || places.includes(module.moduleId),
    );
    const known = new Set(modules.map(({ moduleId }) => moduleId));
    const record: RunRecord = {
      failed: failed.map((module) => ({ project: module.project.name, file: relative(root, module.moduleId) })),
      tests: modules.length,
      faults: [
        ...unexpectedSkips(modules, this.#vitest).map(({ name, reason }) => `skipped: ${name}: ${reason}`),
        ...errors
          .filter((error) => !known.has(placeOf(error) ?? ''))
          .map(({ message }) => `an error outside of the tests: ${message}`),
      ],
    };
    writeFileSync(file, JSON.stringify(record));
  }
}

/** The file whose tests ran when an error that no test caught was thrown. */
const placeOf = (error: SerializedError): string | undefined => {
  const place: unknown = error['VITEST_TEST_PATH'];
  return typeof place === 'string' ? place : undefined;
};
