import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { capturedLine, type OpenStore, openStore } from '../../harness/open-store.ts';
import { indexAll, searchInPages, searchNaively } from '../../harness/search-oracle.ts';

const CHANNELS = ['#room', '#Ops'];
const START = Date.UTC(2026, 0, 1);

/** Letters that change their number with case, or have several forms; characters with a special meaning in a database. */
const letters = fc.constantFrom(
  ...[
    'a',
    'A',
    'b',
    'e',
    ' ',
    'İ',
    'ı',
    'I',
    'ß',
    'ẞ',
    'Σ',
    'σ',
    'ς',
    'é',
    'e\u0301',
    '\u0301',
    'Å',
    '\u212b',
    'ﬁ',
    '😀',
  ],
  ...['%', '_', '\\', '"', "'", '*', '\u0002', '\u000304'],
);
const text = fc.array(letters, { maxLength: 14 }).map((parts) => parts.join(''));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      channel: fc.constantFrom(...CHANNELS),
      texts: fc.array(text, { minLength: 1, maxLength: 60 }),
      at: fc.nat(40),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prune' as const), keep: fc.nat(150) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      phrase: fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      channels: fc.constantFrom(CHANNELS, ['#room'], ['#Ops']),
      limit: fc.constantFrom(1, 7, 51, 1_000),
      effort: fc.constantFrom(undefined, { walkRows: 0, blocks: 1 }, { walkRows: 3, blocks: 2 }),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test('search finds what looking at every entry finds, whatever is indexed and pruned', async () => {
  await using open = await openStore();
  let accounts = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      accounts += 1;
      const accountId = await open.account(`person${accounts}`, CHANNELS);

      for (const one of steps) await play(open, accountId, one);
    }),
    { numRuns: fuzzRuns(40) },
  );
});

async function play(open: OpenStore, accountId: string, one: Step): Promise<void> {
  const { store } = open;
  if (one.kind === 'say') {
    const lines = one.texts.map((said, n) => ({
      // Lines come late, too, and many at the same time.
      line: capturedLine(said, START + ((one.at * (n >> 2)) % 40), one.channel),
      own: undefined,
    }));
    await store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  } else if (one.kind === 'index') await indexAll(open);
  else if (one.kind === 'prune') {
    const excess = await store.retention.excess(accountId, one.keep);
    for (let left = excess; left > 0; left -= 40) await store.retention.pruneOldest(accountId, Math.min(left, 40));
  } else {
    const found = await searchInPages(open, accountId, one);

    expect(found.map(({ entryId }) => entryId)).toEqual(await searchNaively(open, accountId, one.channels, one.phrase));
  }
}
