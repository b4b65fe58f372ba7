import { expect, test } from 'vitest';
import { entryOf } from '../../../../src/connector/store/entries.ts';
import { readEntries } from '../../../../src/connector/store/read-entries.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';

const START = Date.UTC(2026, 0, 1);

/** Texts with a meaning in JSON, SQL or IRC, and texts without one. */
const TEXTS = [
  'plain',
  '',
  'it\'s "quoted" \\ and \\u0041, not A',
  '\u0002bold\u000f \u000304,05red\u0003 \u001ditalic\u001f \u007f \t tab',
  'Straße, 東京, ελλάς, عربى',
  '👩‍👩‍👧 \u{1F600} \uFEFF\u2028\u2029\uFFFD',
  'null',
  '[1,2]',
  '1e400',
  'x'.repeat(5_000),
];

test('entries read as one text equal those in the columns, with any content, in the order asked for', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await ingest(
    open,
    accountId,
    ...TEXTS.map((text) => ({ text })),
    { kind: 'kick', sender: 'bob', target: 'eve"\\', text: 'out' },
    { kind: 'topic', text: 'no time of its own', serverAt: undefined },
  );
  const gap = { from: START - 2_000, to: START - 1_000, reason: 'history_lost' } as const;
  await open.store.capture.addGap(accountId, 'main', '#room', gap);
  const entries = () => open.database('entries').where('entries.account_id', accountId);

  for (const order of ['asc', 'desc'] as const) {
    const read = await readEntries(open.readers, entries(), (table) => [{ column: `${table}.row`, order }]);

    const rows = await entries().orderBy('row', order).select('*');
    expect(rows).toHaveLength(TEXTS.length + 3);
    expect(read).toEqual(rows.map((row) => ({ row: Number(row.row), entry: entryOf(row) })));
  }
});

test('an empty table gives no entries, and a limit holds', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const newest = () =>
    readEntries(open.readers, open.readers('entries').where('entries.account_id', accountId).limit(2), (table) => [
      { column: `${table}.event_at`, order: 'desc' },
    ]);
  expect(await newest()).toEqual([]);

  await ingest(open, accountId, { text: 'one' }, { text: 'two' }, { text: 'three' });

  expect((await newest()).map(({ entry }) => entry.text)).toEqual(['three', 'two']);
});

async function ingest({ store }: OpenStore, accountId: string, ...lines: object[]): Promise<void> {
  const captured = lines.map((line, n) => ({ line: { ...capturedLine('', START + n), ...line }, own: undefined }));
  await store.capture.ingest(accountId, 'main', { lines: captured, isReplay: false, synced: new Set() });
}
