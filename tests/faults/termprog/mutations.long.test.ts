import { afterAll, beforeAll, expect, test } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../schemas/termprog/program-options.ts';
import { DEFAULT_TRANSLATIONS } from '../../../src/termprog/translations/default-translations.ts';
import { readMenuRows } from '../../conformance/requirements/menu-entries.ts';
import { readPageRows } from '../../conformance/requirements/page-rows.ts';
import { provedRequirements } from '../../conformance/requirements/proved.ts';
import {
  otherDefaults,
  otherPalette,
  type TermprogMutation,
  termprogMutations,
} from '../../conformance/requirements/termprog-mutations.ts';
import { sliceOfCommit } from '../../harness/commit-slice.ts';
import { inDepthOr } from '../../harness/fuzz-runs.ts';
import { LAUNCHER_VARIABLE } from '../../harness/start-termprog.ts';
import { buildMutant, MUTATION_VARIABLE, type Mutation, NO_MUTATION } from '../../harness/termprog-mutant.ts';
import { WarmRuns } from '../../harness/warm-runs.ts';

/** Outer limit of a test without a change, in milliseconds. */
const UNCHANGED_TIMEOUT_MS = 120_000;
/**
 * Deadline of a condition while a part is left out; one that is not true by then counts as never true: in milliseconds,
 * and as a multiple of the time that the slowest test takes here without a change.
 */
const CHANGED_TIMEOUT_MS = 6_000;
const CHANGED_TIMEOUT_SHARE = 2;
/** Number of runs at once: a run spends most of its time on waits for what never comes. */
const AT_ONCE = 4;

/** Each takes up to ten seconds. The long tests try this many, and the nightly tests all. */
const MUTATIONS_PER_RUN = 6;

/** A menu's row has four lines, so rows and lines are matched by their actions. */
const translationLines = DEFAULT_TRANSLATIONS.trim().split('\n');

/** A break of a row: a part that is left out, or another source. */
type Break = { lacks: Partial<Mutation> } | { change: TermprogMutation };

const byId = Map.groupBy(provedRequirements(), ({ id }) => id);
const mutable = [...byId]
  .filter(([id]) => id.startsWith('termprog.'))
  .map(([id, proofs]) => ({ id, proofs, ...breakOf(id) }));
const tried = inDepthOr(mutable, () => sliceOfCommit(mutable, MUTATIONS_PER_RUN));

/** Launchers by the change of their source; that without one lacks what a variable says. */
const launchers = new Map<TermprogMutation | undefined, string>();
let runs: WarmRuns;

beforeAll(async () => {
  const changes = new Set(tried.flatMap((each) => ('change' in each ? [each.change] : [])));
  launchers.set(undefined, await buildMutant());
  for (const [index, change] of [...changes].entries()) launchers.set(change, await buildMutant(`${index}`, change));
  runs = new WarmRuns({ atOnce: AT_ONCE, testTimeoutMs: UNCHANGED_TIMEOUT_MS });
});

afterAll(() => runs?.[Symbol.asyncDispose]());

const lacking = (mutation: Partial<Mutation>, change?: TermprogMutation) => ({
  env: {
    [LAUNCHER_VARIABLE]: launchers.get(change) ?? '',
    [MUTATION_VARIABLE]: JSON.stringify({ ...NO_MUTATION, ...mutation }),
  },
});

test('the tests that prove rows pass in the whole program', async () => {
  const proofs = tried.flatMap((row) => row.proofs);
  const outcomes = await runs.outcomesByFile(proofs, lacking({}));

  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter(({ status }) => status !== 'passed')).toEqual([]);
  const slowestMs = Math.max(...outcomes.map(({ ms }) => ms));
  await runs[Symbol.asyncDispose]();
  const testTimeoutMs = Math.max(CHANGED_TIMEOUT_MS, CHANGED_TIMEOUT_SHARE * slowestMs);
  runs = new WarmRuns({ atOnce: AT_ONCE, testTimeoutMs });
});

for (const row of tried) {
  test.concurrent(`without ${row.id} a test that proves it fails`, async ({ expect }) => {
    const change = 'change' in row ? lacking({}, row.change) : lacking(row.lacks);
    const outcomes = await runs.outcomesOf(row.proofs, change);

    expect(outcomes.map(({ status }) => status)).toContain('failed');
  });
}

/** Returns the break of a row. @throws Error for a row without a break: it needs a line in termprog-mutations.ts */
function breakOf(id: string): Break {
  const change = termprogMutations.find(({ breaks }) => breaks.some((broken) => broken === id));
  if (change !== undefined) return { change };
  const defaults = otherPalette(id) ?? Object.entries(otherDefaults).find(([known]) => known === id)?.[1];
  if (defaults !== undefined) return { lacks: { defaults } };
  const [, kind = '', name = ''] = /^termprog\.(\w+)\.(.+)$/.exec(id) ?? [];
  if (kind === 'action') return { lacks: { actions: [name] } };
  if (kind === 'translation') return { lacks: { translations: translationsOf(id) } };
  if (kind === 'menu') return { lacks: { menuEntries: entriesOf(id) } };
  if (kind === 'option') return { lacks: { options: spellingsOf(name) } };
  const resources = kind === 'resource' ? resourcesOf(name) : [];
  if (resources.length === 0) throw new Error(`${id} is proved, and nothing breaks it`);
  return { lacks: { resources } };
}

/** The entries of a row of the lists of menus. */
function entriesOf(id: string): string[] {
  const row = readMenuRows().find((candidate) => candidate.id === id);
  return row?.entries.map(({ name }) => `${row.menu}.${name}`) ?? [];
}

/** A resource, or those of a family. */
function resourcesOf(name: string): string[] {
  const [, first, from, to] = /^(\D+)(\d+)-\D+(\d+)$/.exec(name) ?? [];
  const family = Array.from(
    { length: Number(to ?? 0) - Number(from ?? 0) + 1 },
    (_, n) => `${first}${Number(from) + n}`,
  );
  return termprogResources.map((row) => row.name).filter((known) => known === name || family.includes(known));
}

/** All spellings of the option that has this one, without what stands before the name. */
function spellingsOf(name: string): string[] {
  if (name === 'number-sign') return [''];
  const options = termprogResources.flatMap((row) => row.options ?? []);
  const known = [
    ...options.flatMap((option) => (option.kind === 'sticky' ? [] : [option.names])),
    ...termprogProgramOptions.map(({ names }) => names.map((spelling) => spelling.replace(/^-+/, ''))),
  ];
  return known.find((names) => names.some((spelling) => spelling === name))?.map(String) ?? [];
}

/** Rows of the page and lines of the program have the same order, but for what the locks add. */
function translationsOf(id: string): string[] {
  const rows = readPageRows().filter((row) => row.id.startsWith('termprog.translation.'));
  const plain = translationLines.filter((line) => !/^!(Lock|@Num_Lock)/.test(line));
  if (rows.length !== plain.length) throw new Error('the default translations are not the rows of the page');
  return [plain[rows.findIndex((row) => row.id === id)] ?? ''];
}
