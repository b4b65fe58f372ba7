import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { Interleavings, PASSINGS } from '../../harness/interleavings/interleavings.ts';

/**
 * Least share of an undisturbed run's awaits that must be met: where two things happen at once, their order decides
 * which awaits there are.
 */
const MOST = 0.8;

/** All take minutes. */
const PART = 0.25;

const tried = inDepthOr(PASSINGS, () => sliceOfCommit(PASSINGS, Math.ceil(PART * PASSINGS.length)));

let interleavings: Interleavings;

beforeAll(async () => {
  interleavings = await Interleavings.open(inject('inDepth') ? 'all' : 'first');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(tried)(
  'when $event at any await of $scenario, asked $asks, each call is answered as usual, and no line is lost or doubled',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(4);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
);
