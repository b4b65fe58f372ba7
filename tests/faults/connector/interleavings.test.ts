import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTERLEAVINGS, Interleavings } from '../../harness/interleavings/interleavings.ts';

/** Of the doors of an undisturbed run. */
const MOST = 0.9;

let interleavings: Interleavings;

beforeAll(async () => {
  interleavings = await Interleavings.open('all');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(INTERLEAVINGS)(
  'when $event at each visit of each await of $scenario, no line is lost or doubled',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(10);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
);
