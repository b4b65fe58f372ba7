import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectorMutations } from '../../conformance/requirements/connector-mutations.ts';
import { type ProvedRequirement, provedRequirements, titlePattern } from '../../conformance/requirements/proved.ts';
import { WarmRuns } from '../../harness/warm-runs.ts';

/** As many as the machines have processors that this is made for. */
const AT_ONCE = 2;
/** The tests take a second or two when they pass; a condition that is not true by then counts as never true. */
const TEST_TIMEOUT_MS = 20_000;

const inOneProcess = provedRequirements().filter(({ file }) => file.startsWith('tests/unit/'));

const proofsOf = (...ids: readonly string[]): ProvedRequirement[] => inOneProcess.filter(({ id }) => ids.includes(id));

let runs: WarmRuns;

beforeAll(() => {
  runs = new WarmRuns({ atOnce: AT_ONCE, testTimeoutMs: TEST_TIMEOUT_MS });
});

afterAll(() => runs?.[Symbol.asyncDispose]());

test('with nothing changed the tests that prove rows in one process pass', async () => {
  const outcomes = await runs.outcomesOf(inOneProcess);

  expect(outcomes.length).toBeGreaterThan(connectorMutations.length);
  expect(outcomes.filter(({ status }) => status !== 'passed')).toEqual([]);
});

for (const mutation of connectorMutations) {
  const { breaks, from, to } = mutation;
  test.concurrent(`with "${to}" in place of "${from}" a test of each row that it breaks fails`, async ({ expect }) => {
    const outcomes = await runs.outcomesOf(proofsOf(...breaks), { mutation });

    const failed = outcomes.filter(({ status }) => status === 'failed').map(({ title }) => title);
    const unnoticed = breaks.filter((id) => {
      const patterns = proofsOf(id).map(({ title }) => new RegExp(titlePattern(title)));
      return !failed.some((title) => patterns.some((pattern) => pattern.test(title)));
    });
    expect(unnoticed).toEqual([]);
  });
}
