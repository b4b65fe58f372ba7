import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectorMutations, type SourceMutation } from '../../conformance/requirements/connector-mutations.ts';
import { type ProvedRequirement, provedRequirements } from '../../conformance/requirements/proved.ts';
import { SOURCE_MUTATION_VARIABLE } from '../../harness/mutated.config.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const RUN_DEADLINE_MS = 120_000;

const inOneProcess = provedRequirements().filter(({ file }) => file.startsWith('tests/unit/'));

interface Outcome {
  title: string;
  status: string;
}

const proofsOf = (...ids: readonly string[]): ProvedRequirement[] => inOneProcess.filter(({ id }) => ids.includes(id));

/** What becomes of these tests while the source is changed. */
async function outcomesOf(proofs: readonly ProvedRequirement[], mutation?: SourceMutation): Promise<Outcome[]> {
  await using folder = await tempFolder();
  const report = join(folder.path, 'report.json');
  const titles = [...new Set(proofs.map(({ title }) => patternOf(title)))];
  const args = [
    ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/harness/mutated.config.ts'],
    ...['--reporter=json', `--outputFile=${report}`, '-t', titles.join('|')],
    ...new Set(proofs.map(({ file }) => file)),
  ];
  const env = { ...process.env, ...(mutation && { [SOURCE_MUTATION_VARIABLE]: JSON.stringify(mutation) }) };
  await new Promise<void>((resolve) => {
    execFile(process.execPath, args, { env, timeout: RUN_DEADLINE_MS }, () => resolve());
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: Outcome[] }[];
  };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
}

/** Of a title as it stands in the source, in which expressions may stand for anything. */
function patternOf(title: string): string {
  const parts = title.split(/\$\{[^}]*\}/);
  return `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`;
}

test('with nothing changed the tests that prove rows in one process pass', async () => {
  const outcomes = await outcomesOf(inOneProcess);

  expect(outcomes.length).toBeGreaterThan(connectorMutations.length);
  expect(outcomes.filter(({ status }) => status !== 'passed')).toEqual([]);
});

for (const mutation of connectorMutations) {
  const { breaks, from, to } = mutation;
  test(`with "${to}" in place of "${from}" a test of each row that it breaks fails`, async () => {
    const outcomes = await outcomesOf(proofsOf(...breaks), mutation);

    const failed = outcomes.filter(({ status }) => status === 'failed').map(({ title }) => title);
    const unnoticed = breaks.filter((id) => {
      const patterns = proofsOf(id).map(({ title }) => new RegExp(patternOf(title)));
      return !failed.some((title) => patterns.some((pattern) => pattern.test(title)));
    });
    expect(unnoticed).toEqual([]);
  });
}
