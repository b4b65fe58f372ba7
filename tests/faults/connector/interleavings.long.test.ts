import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { INTERLEAVINGS, Interleavings } from '../../harness/interleavings/interleavings.ts';

/**
 * Least share of an undisturbed run's doors that must be met: where two things happen at once, their order decides
 * which doors there are.
 */
const MOST = 0.8;

/**
 * The long tests try this part, and the nightly tests all. With PostgreSQL each case takes several times as long, and all
 * but the database is the same.
 */
const PART = inject('postgres') === undefined ? 0.5 : 0.15;

const tried = inDepthOr(INTERLEAVINGS, () => sliceOfCommit(INTERLEAVINGS, Math.ceil(PART * INTERLEAVINGS.length)));

let interleavings: Interleavings;

beforeAll(async () => {
  // The first visit of an await is tried; the nightly tests also try later visits, which are slow.
  interleavings = await Interleavings.open(inject('inDepth') === 'all' ? 'all' : 'first');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(tried)(
  'when $event at each visit of each await of $scenario, no line is lost or doubled',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(5);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
);
