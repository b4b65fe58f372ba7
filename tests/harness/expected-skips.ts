import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { type Capability, capabilityNames, has, MISSING } from './capabilities.ts';

/** Capabilities no test may be skipped for, separated by commas; `all` for every one. */
const REQUIRED_VARIABLE = 'REQUIRE_CAPABILITIES';

/** Fails a run that skips a test for any other reason than a capability that this machine really lacks and may lack. */
export default class ExpectedSkips implements Reporter {
  #vitest: Vitest | undefined;

  /** @throws Error when a capability is required that no test can need */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const unknown = required().filter((name) => name !== 'all' && !isCapability(name));
    if (unknown.length === 0) return;
    throw new Error(
      `${REQUIRED_VARIABLE} names ${unknown.join(', ')}; expected "all" or some of: ${capabilityNames.join(', ')}`,
    );
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest === undefined) return;
    const wrong = unexpectedSkips(modules, this.#vitest);
    const unexpected = new Set(wrong.map(({ name }) => name));
    const expected = skippedTests(modules, this.#vitest).filter(({ name }) => !unexpected.has(name));
    if (expected.length > 0)
      this.#vitest.logger.log(
        `\nskipped here:\n${expected.map((test) => `  ${test.name} (${noteOf(test)})`).join('\n')}`,
      );
    if (wrong.length === 0) return;
    this.#vitest.logger.error(
      `\nskipped although nothing is missing that may be:\n${wrong.map(({ name, reason }) => `  ${name}: ${reason}`).join('\n')}`,
    );
    process.exitCode = 1;
  }
}

/** Tests that a run skipped although it may not, with the reason why not. Tests left out by name don't count as skips. */
export function unexpectedSkips(modules: readonly TestModule[], vitest: Vitest): { name: string; reason: string }[] {
  return skippedTests(modules, vitest).flatMap((test) => {
    const reason = reproach(noteOf(test), required());
    return reason === undefined ? [] : [{ name: test.name, reason }];
  });
}

/**
 * Returns the skipped tests without those that the run leaves out by their names, and without those whose hook failed:
 * vitest calls these skipped, and their file failed.
 */
export function skippedTests(modules: readonly TestModule[], { config }: Vitest): TestCase[] {
  const isLeftOut = ({ fullName }: TestCase): boolean =>
    config.testNamePattern !== undefined && !config.testNamePattern.test(fullName);
  return modules
    .flatMap((module) => [...module.children.allTests('skipped')])
    .filter((test) => !isLeftOut(test) && !isBehindFailure(test));
}

function isBehindFailure({ parent }: TestCase | TestSuite): boolean {
  if (parent.errors().length > 0) return true;
  return parent.type === 'suite' && isBehindFailure(parent);
}

const isCapability = (name: string): name is Capability => (capabilityNames as string[]).includes(name);

const required = (): string[] => {
  const text = process.env[REQUIRED_VARIABLE] ?? '';
  return text === '' ? [] : text.split(',').map((name) => name.trim());
};

function noteOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' && result.note) || '';
}

/**
 * Returns what is wrong with a skip that has this note; undefined for a permitted one.
 * @param required names of capabilities no test may be skipped for, or `all`
 */
export function reproach(note: string, required: readonly string[]): string | undefined {
  if (!note.startsWith(MISSING)) return 'it names no missing capability, as `needs` does';
  const named = note.slice(MISSING.length).split(', ');
  for (const name of named) {
    if (!isCapability(name)) return `it names "${name}", which is not in the table of capabilities`;
    if (has(name)) return `it says that this machine lacks ${name}, and it has that`;
  }
  const needed = named.filter((name) => required.includes('all') || required.includes(name));
  return needed.length === 0 ? undefined : `${REQUIRED_VARIABLE} requires ${needed.join(', ')}`;
}
