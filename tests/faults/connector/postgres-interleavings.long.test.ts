import { afterAll, beforeAll, expect, test } from 'vitest';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { Interleavings, TAKEOVERS } from '../../harness/interleavings/interleavings.ts';

/**
 * Least share of an undisturbed run's doors that must be met: where two things happen at once, their order decides
 * which doors there are.
 */
const MOST = 0.8;

/** The long tests try this many, and the nightly tests all. */
const SCENARIOS_PER_RUN = 5;

const tried = inDepthOr(TAKEOVERS, () => sliceOfCommit(TAKEOVERS, SCENARIOS_PER_RUN));

let interleavings: Interleavings;

beforeAll(async () => {
  interleavings = await Interleavings.open('first');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(tried)(
  'when another process takes the database at any await of $scenario, it goes on, and the one that lost it neither says, stores nor doubles anything',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(4);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
);
