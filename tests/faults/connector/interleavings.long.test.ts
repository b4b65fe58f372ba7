import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { INTERLEAVINGS, Interleavings } from '../../harness/interleavings/interleavings.ts';

/** Of the doors of an undisturbed run: where two things happen at once, their order decides which there are. */
const MOST = 0.8;

let interleavings: Interleavings;

beforeAll(async () => {
  // What differs between later visits of an await is slow to try; the nightly tests do.
  interleavings = await Interleavings.open(inject('inDepth') ? 'all' : 'first');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(INTERLEAVINGS)(
  'when $event at each visit of each await of $scenario, no line is lost or doubled',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(5);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
);
