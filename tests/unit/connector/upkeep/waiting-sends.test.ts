import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createInvalidations } from '../../../../src/connector/store/shared-invalidations.ts';
import { startWaitingSends } from '../../../../src/connector/upkeep/waiting-sends.ts';

test('a send of another process is written at once when a notice comes', () => {
  const { seen, invalidations } = start([]);

  invalidations.heard('sends', 'ada');

  expect(seen.writes).toEqual(['ada']);
});

test('it is found without a notice, and when notices were missed at once', async () => {
  const { seen, invalidations } = start(['ada', 'bob']);
  await waitFor('both are found', () => seen.looks.length >= 2);
  const before = seen.asked;

  invalidations.missed();
  await waitFor('it looks', () => seen.asked > before);

  expect(new Set(seen.looks)).toEqual(new Set(['ada', 'bob']));
});

test('it looks once more when the last of the others has gone, and then not at all', async () => {
  const { shared, seen, invalidations } = start([]);
  await waitFor('it looks', () => seen.asked === 1);
  shared.alone = 1;
  invalidations.missed();
  await waitFor('it looks once more', () => seen.asked === 2);

  for (let round = 0; round < 5; round += 1) {
    invalidations.missed();
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(seen.asked).toBe(2);
});

/** The work beside a database in which these accounts have lines that wait. */
function start(waiting: string[]) {
  const shared: { alone: number | undefined } = { alone: undefined };
  const seen = { asked: 0, looks: [] as string[], writes: [] as string[] };
  const invalidations = createInvalidations({ alone: () => shared.alone, sinceBoot: () => 0 });
  const repeated = startWaitingSends({
    messages: {
      accountsWaiting: async () => {
        seen.asked += 1;
        return waiting;
      },
    },
    invalidations,
    presences: { writeStored: (id) => seen.writes.push(id), lookForStored: (id) => seen.looks.push(id) },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => repeated.close());
  return { shared, seen, invalidations };
}
