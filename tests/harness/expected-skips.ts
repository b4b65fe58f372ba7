import { readFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const LIST = 'tests/expected-skips';

/** Fails a run that skips a test which is not listed: a skip that nobody knows of proves nothing. */
export default class ExpectedSkips implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Tests left out by name are no skips.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const expected = new Set(readFileSync(LIST, 'utf8').split('\n'));
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')].map(({ name }) => name));
    const unexpected = skipped.filter((name) => !expected.has(name));
    if (skipped.length > 0)
      this.#vitest?.logger.log(`\nskipped here:\n${skipped.map((name) => `  ${name}`).join('\n')}`);
    if (unexpected.length === 0) return;
    this.#vitest?.logger.error(
      `\nskipped and not listed in ${LIST}:\n${unexpected.map((name) => `  ${name}`).join('\n')}`,
    );
    process.exitCode = 1;
  }
}
