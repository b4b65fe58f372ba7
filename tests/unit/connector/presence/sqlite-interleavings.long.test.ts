import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTERLEAVINGS, Interleavings } from '../../../harness/interleavings/interleavings.ts';

const TEST_MAX_MS = 3 * 60 * 1_000;
/**
 * Least share of an undisturbed run's awaits that must be met: where two things happen at once, their order decides
 * which awaits there are.
 */
const MOST = 0.8;

/** The most frequent event. */
const USUAL_EVENT = 'the socket breaks';
/** Lines that wait are given up only while the network is away. */
const GIVEN_UP = { scenario: 'the return of the network', event: 'a channel is disabled' };
/** The others, and each later visit of an await, are among the long tests. */
const USUAL = INTERLEAVINGS.filter(
  ({ scenario, event }) => event === USUAL_EVENT || (scenario === GIVEN_UP.scenario && event === GIVEN_UP.event),
);

let interleavings: Interleavings;

beforeAll(async () => {
  interleavings = await Interleavings.open('first');
});

afterAll(() => interleavings?.[Symbol.asyncDispose]());

test.each(USUAL)(
  'when $event at any await of $scenario, no line is lost or doubled, and what is stored is so',
  async (interleaving) => {
    const { moments, happened } = await interleavings.tryOut(interleaving);

    expect(moments).toBeGreaterThan(4);
    expect(happened).toBeGreaterThan(MOST * moments);
  },
  TEST_MAX_MS,
);
