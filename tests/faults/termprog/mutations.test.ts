import { afterAll, beforeAll, expect, test } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { DEFAULT_TRANSLATIONS } from '../../../src/termprog/translations/default-translations.ts';
import { readPageRows } from '../../conformance/requirements/page-rows.ts';
import { provedRequirements } from '../../conformance/requirements/proved.ts';
import { LAUNCHER_VARIABLE } from '../../harness/start-termprog.ts';
import { buildMutant, MUTATION_VARIABLE, type Mutation } from '../../harness/termprog-mutant.ts';
import { WarmRuns } from '../../harness/warm-runs.ts';

/** The tests take a second or two when they pass; a condition that is not true by then counts as never true. */
const TEST_TIMEOUT_MS = 6_000;
/** Most of the time a run waits for what never comes. */
const AT_ONCE = 4;

/** Each takes up to ten seconds. Of more rows a run tries as many; FUZZ_SEED says which. */
const MUTATIONS_PER_RUN = 80;

const nothing: Mutation = { resources: [], actions: [], translations: [] };

/** A menu's row has four lines, so rows and lines are matched by their actions. */
const translationLines = DEFAULT_TRANSLATIONS.trim().split('\n');

/** The mutation that breaks a row; undefined when nothing can be left out for it. */
function mutationOf(id: string): Mutation | undefined {
  const [, kind = '', name = ''] = /^termprog\.(\w+)\.(.+)$/.exec(id) ?? [];
  if (kind === 'action') return { ...nothing, actions: [name] };
  if (kind === 'translation') return { ...nothing, translations: translationsOf(id) };
  const [, first, from, to] = /^(\D+)(\d+)-\D+(\d+)$/.exec(name) ?? [];
  const family = Array.from(
    { length: Number(to ?? 0) - Number(from ?? 0) + 1 },
    (_, n) => `${first}${Number(from) + n}`,
  );
  const resources = termprogResources.filter((row) => {
    if (kind === 'resource') return row.name === name || family.includes(row.name);
    if (kind !== 'option') return false;
    return row.options?.some((option) => option.kind !== 'sticky' && option.names.includes(name));
  });
  return resources.length === 0 ? undefined : { ...nothing, resources: resources.map((row) => row.name) };
}

/** Rows of the page and lines of the program have the same order, but for what the locks add. */
function translationsOf(id: string): string[] {
  const rows = readPageRows().filter((row) => row.id.startsWith('termprog.translation.'));
  const plain = translationLines.filter((line) => !/^!(Lock|@Num_Lock)/.test(line));
  if (rows.length !== plain.length) throw new Error('the default translations are not the rows of the page');
  return [plain[rows.findIndex((row) => row.id === id)] ?? ''];
}

const byId = Map.groupBy(provedRequirements(), ({ id }) => id);
const mutable = [...byId].flatMap(([id, proofs]) => {
  const lacks = mutationOf(id);
  return lacks === undefined ? [] : [{ id, proofs, lacks }];
});
const offset = Number(process.env['FUZZ_SEED'] ?? 0) % Math.max(1, mutable.length);
const tried = [...mutable, ...mutable].slice(offset, offset + Math.min(MUTATIONS_PER_RUN, mutable.length));

let launcher: string;
let runs: WarmRuns;

beforeAll(async () => {
  launcher = await buildMutant();
  runs = new WarmRuns({ atOnce: AT_ONCE, testTimeoutMs: TEST_TIMEOUT_MS });
});

afterAll(() => runs?.[Symbol.asyncDispose]());

const lacking = (mutation: Mutation) => ({
  env: { [LAUNCHER_VARIABLE]: launcher, [MUTATION_VARIABLE]: JSON.stringify(mutation) },
});

test('with nothing left out the tests that prove rows pass within the time given here', async () => {
  const outcomes = await runs.outcomesByFile(
    tried.flatMap(({ proofs }) => proofs),
    lacking(nothing),
  );

  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter(({ status }) => status !== 'passed')).toEqual([]);
});

for (const { id, proofs, lacks } of tried) {
  test.concurrent(`without ${id} a test that proves it fails`, async ({ expect }) => {
    const outcomes = await runs.outcomesOf(proofs, lacking(lacks));

    expect(outcomes.map(({ status }) => status)).toContain('failed');
  });
}
