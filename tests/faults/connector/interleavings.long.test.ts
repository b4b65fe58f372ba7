import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { INTERLEAVINGS, Interleavings } from '../../harness/interleavings/interleavings.ts';

/** Of the doors of an undisturbed run: where two things happen at once, their order decides which there are. */
const MOST = 0.8;

let interleavings: Interleavings;

beforeAll(async () => {
  // Later visits of an await differ by what the program does, not by the database: those are tried on SQLite.
  interleavings = await Interleavings.open(inject('postgres') === undefined ? 'all' : 'first');
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
