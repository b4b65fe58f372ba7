import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectorMutations } from '../../conformance/requirements/connector-mutations.ts';
import { type ProvedRequirement, provedRequirements, titlePattern } from '../../conformance/requirements/proved.ts';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { WarmRuns } from '../../harness/warm-runs.ts';

/** Number of runs side by side: as many as the machines have processors that this is made for. */
const AT_ONCE = 2;
/** The long tests try this many, and the nightly tests all. */
const MUTATIONS_PER_RUN = 12;
/** The tests take a second or two when they pass; a condition that is not true by then counts as never true. */
const TEST_TIMEOUT_MS = 20_000;

const inOneProcess = provedRequirements().filter(({ file }) => file.startsWith('tests/unit/'));

const proofsOf = (...ids: readonly string[]): ProvedRequirement[] => inOneProcess.filter(({ id }) => ids.includes(id));

const tried = inDepthOr(connectorMutations, () => sliceOfCommit(connectorMutations, MUTATIONS_PER_RUN));
const proofsOfTried = proofsOf(...tried.flatMap(({ breaks }) => breaks));

let runs: WarmRuns;

beforeAll(() => {
  runs = new WarmRuns({ atOnce: AT_ONCE, testTimeoutMs: TEST_TIMEOUT_MS });
});

afterAll(() => runs?.[Symbol.asyncDispose]());

test('with nothing changed the tests that prove rows in one process pass', async () => {
  const outcomes = await runs.outcomesOf(proofsOfTried);

  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter(({ status }) => status !== 'passed')).toEqual([]);
});

for (const mutation of tried) {
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
