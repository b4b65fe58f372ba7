import { expect } from 'vitest';
import { dialectOf } from '../../../../src/connector/store/dialect.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine, openStore } from '../../../harness/open-store.ts';

const AT = Date.UTC(2026, 0, 1);

const test = testWithStore();

test.beforeAll(async () => {
  for (const statement of POISON[dialectOf(open.database)]) await open.database.raw(statement);
});

/** A text that the database takes under no circumstances. */
const POISON = {
  sqlite: [
    `CREATE TRIGGER poison BEFORE INSERT ON entries WHEN NEW.text LIKE 'poison%'
     BEGIN SELECT RAISE(ABORT, 'no database takes this'); END`,
  ],
  postgres: [`ALTER TABLE entries ADD CONSTRAINT poison CHECK (text NOT LIKE 'poison%')`],
};

const twin = (text: string) => ({ ...capturedLine(text, AT), fingerprintBase: `twin ${text}`, isExact: false });

test('a gap replaces a line that the database refuses for good, and the other lines are stored', async () => {
  const accountId = await open.account('ada');

  const { refusedCount } = await ingest(
    accountId,
    ['before', 'poison', 'after'].map((text) => capturedLine(text, AT)),
    false,
  );

  expect(refusedCount).toBe(1);
  expect(await kept(accountId)).toEqual(['before', 'line_refused', 'after']);
});

test('equal lines behind a refused one are still distinguished when they come live and again', async () => {
  const accountId = await open.account('eve');
  const lines = [twin('poison'), twin('same'), twin('same')];

  await ingest(accountId, lines, false);
  await ingest(accountId, [...lines, twin('same')], true);

  expect((await kept(accountId)).filter((text) => text === 'same')).toHaveLength(3);
  expect((await kept(accountId)).filter((text) => text === 'line_refused')).toHaveLength(1);
});

test('a database that can’t work now refuses no line: the whole batch is tried again later', async () => {
  await using other = await openStore();
  const accountId = await other.account('ada');
  await other.database.schema.renameTable('entries', 'away');
  const batch = {
    lines: [{ line: capturedLine('x', AT), own: undefined }],
    isReplay: false,
    synced: new Set<string>(),
  };

  await expect(other.store.capture.ingest(accountId, 'main', batch)).rejects.toThrow('entries');

  await other.database.schema.renameTable('away', 'entries');
  expect((await other.store.capture.ingest(accountId, 'main', batch)).entries).toHaveLength(1);
});

function ingest(accountId: string, lines: ReturnType<typeof capturedLine>[], isReplay: boolean) {
  const observed = lines.map((line) => ({ line, own: undefined }));
  return open.store.capture.ingest(accountId, 'main', { lines: observed, isReplay, synced: new Set() });
}

async function kept(accountId: string) {
  return (await open.database('entries').where('account_id', accountId).orderBy('row')).map(
    ({ text, gap_reason: reason }) => reason ?? text,
  );
}
