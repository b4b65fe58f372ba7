import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { progressOf, RECORD_VARIABLE, type RunRecord } from '../../scripts/test/run-record.ts';
import { skippedTests, unexpectedSkips } from './expected-skips.ts';

/** Shortest time between two notes of progress, in milliseconds. */
const NOTE_MS = 1_000;

/**
 * Writes which files of tests failed, for the runner that gives them a second look. It writes when the process of the
 * run ends, after all clean-up: a run that ends before leaves no record.
 */
export default class FailedFiles implements Reporter {
  #vitest: Vitest | undefined;
  #filesToRun = 0;
  #notedAt = 0;
  // A run within a test must not write this run's record.
  readonly #recordFile = takeVariable(RECORD_VARIABLE);

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#filesToRun = specifications.length;
    this.#noteProgress();
  }

  onTestCaseReady(): void {
    this.#noteProgress();
  }

  onTestCaseResult(): void {
    this.#noteProgress();
  }

  onHookStart(): void {
    this.#noteProgress();
  }

  onHookEnd(): void {
    this.#noteProgress();
  }

  onTestModuleEnd(): void {
    this.#noteProgress();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (this.#recordFile === undefined || this.#vitest === undefined) return;
    const record = recordOf(modules, errors, this.#vitest);
    const missing = this.#filesToRun - modules.length;
    if (missing > 0) record.faults.push(`${missing} files of tests did not run`);
    writeAtTheEnd(this.#vitest, this.#recordFile, record, errors.length > 0);
  }

  #noteProgress(): void {
    if (this.#recordFile === undefined || performance.now() - this.#notedAt < NOTE_MS) return;
    this.#notedAt = performance.now();
    writeFileSync(progressOf(this.#recordFile), '');
  }
}

function takeVariable(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}

function recordOf(modules: readonly TestModule[], errors: readonly SerializedError[], vitest: Vitest): RunRecord {
  const blamed = new Set(errors.map((error) => placeOf(error, modules)));
  const pathOf = ({ moduleId }: TestModule): string => relative(vitest.config.root, moduleId);
  const failed = modules.filter((module) => !['passed', 'skipped'].includes(module.state()) || blamed.has(module));
  const all = modules.flatMap(({ children }) => [...children.allTests()]);
  return {
    files: modules.map(pathOf),
    failed: failed.map((module) => ({
      project: module.project.name,
      file: pathOf(module),
      tests: [...module.children.allTests()].map(({ fullName }) => fullName),
    })),
    passed: all.filter((test) => test.result().state === 'passed').map(({ fullName }) => fullName),
    skipped: skippedTests(modules, vitest).map(({ fullName }) => fullName),
    faults: [
      ...unexpectedSkips(modules, vitest).map(({ name, reason }) => `skipped: ${name}: ${reason}`),
      ...all
        .filter((test) => test.diagnostic()?.flaky)
        .map(({ fullName }) => `passed only when it was tried again: ${fullName}`),
      ...modules.flatMap((module) => gapsOf(module).map((gap) => `${pathOf(module)}: ${gap}`)),
      ...errors
        .filter((error) => placeOf(error, modules) === undefined)
        .map((error) => `an error outside of the tests: ${wholeMessage(error)}`),
    ],
  };
}

/** What keeps a file that did not fail from proving anything. */
function gapsOf(module: TestModule): string[] {
  if (module.state() === 'failed') return [];
  const tests: TestCase[] = [...module.children.allTests()];
  if (tests.length === 0) return ['none of its tests ran, or it has none'];
  const pending = tests.filter((test) => test.result().state === 'pending');
  return pending.length === 0 ? [] : [`${pending.length} of its tests did not run`];
}

/**
 * The file whose tests ran when an error that no test caught was thrown. Where files share a process it may be another
 * file's error, and belongs to none.
 */
function placeOf(error: SerializedError, modules: readonly TestModule[]): TestModule | undefined {
  const place: unknown = error['VITEST_TEST_PATH'];
  return modules.find(({ moduleId, project }) => moduleId === place && project.config.isolate);
}

/** The cause of the error says which worker crashed. */
const wholeMessage = ({ message, cause }: SerializedError): string =>
  cause === undefined ? message : `${message} ${(cause as SerializedError).message}`;

/**
 * Writes the record at the end of this process. Vitest reports an error of the clean-up only by the exit status, as it
 * does failed tests, so the tests' part of it is set aside until then.
 */
function writeAtTheEnd(vitest: Vitest, recordFile: string, record: RunRecord, hasErrors: boolean): void {
  const statusOfTests = process.exitCode;
  process.exitCode = 0;
  // All set-ups have cleaned up then. A run that ends before that leaves no record.
  vitest.onClose(() => {
    // Once more for errors outside of the tests.
    if (hasErrors && process.exitCode === 1) process.exitCode = 0;
    process.once('exit', () => {
      if (process.exitCode === 0) process.exitCode = hasErrors ? 1 : statusOfTests;
      else record.faults.push('an error after the tests, while the run cleaned up; it is shown above');
      writeFileSync(recordFile, JSON.stringify(record));
    });
  });
}
