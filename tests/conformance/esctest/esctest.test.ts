import { expect, test } from 'vitest';
import { needs } from '../../harness/needs.ts';
import { startXDesktop } from '../../harness/start-termprog.ts';
import { CASES_FILE, debts, formatCases, readCases } from './cases.ts';
import { runEsctest } from './run-esctest.ts';

/** A folder with `esctest/esctest.py`, which is not part of this repository. */
const esctest = process.env['ESCTEST'];

/** Long, because every case without an answer waits for one. */
const SUITE_TIMEOUT_MS = 600_000;

const TIMEOUT_SECONDS = 0.6;

/** Timeout for a second run of cases that may only have been slow. */
const PATIENT_TIMEOUT_SECONDS = 3;

test('each case of esctest is listed once, in order, and those not owed with a reason that others share', () => {
  const cases = readCases();

  const names = cases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
  expect(new Set(cases.map(({ debt }) => debt))).toEqual(new Set(Object.keys(debts)));
});

test('each case that is owed passes', () => {
  const owed = readCases().filter(({ debt }) => debt === 'owed');

  expect(owed.length).toBeGreaterThanOrEqual(490);
  expect(owed.filter(({ outcome }) => outcome !== 'passes')).toEqual([]);
});

needs('ESCTEST')(
  'the cases of esctest fare as they are listed: ESCTEST names its folder',
  async () => {
    await using desktop = await startXDesktop();
    const listed = readCases();

    const found = await runEsctest({ esctest: esctest ?? '', desktop, timeoutSeconds: TIMEOUT_SECONDS });
    const slow = listed.filter(({ name, outcome }) => outcome === 'passes' && found.get(name) === 'fails');
    if (slow.length > 0) {
      const only = slow.map(({ name }) => name);
      const again = await runEsctest({
        esctest: esctest ?? '',
        desktop,
        timeoutSeconds: PATIENT_TIMEOUT_SECONDS,
        only,
      });
      for (const [name, outcome] of again) found.set(name, outcome);
    }

    // A new case must pass until a developer finds out why it fails; `npm run test:update` writes the results.
    const debtOf = new Map(listed.map(({ name, debt }) => [name, debt]));
    const cases = [...found].map(([name, outcome]) => ({ name, outcome, debt: debtOf.get(name) ?? 'owed' }) as const);
    const sorted = cases.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const count = (outcome: string): number => cases.filter((candidate) => candidate.outcome === outcome).length;
    console.log(`esctest: ${count('passes')} pass, ${count('fails')} fail, ${count('skips')} are skipped`);
    await expect(formatCases(sorted)).toMatchFileSnapshot(CASES_FILE);
  },
  SUITE_TIMEOUT_MS,
);
