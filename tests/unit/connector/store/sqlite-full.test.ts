import { expect } from 'vitest';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { onlineInStore, sendOf } from '../../../harness/stored-sends.ts';

const test = testWithStore();

let accountId: string;

test.beforeAll(async () => {
  accountId = await open.account('ada');
  await onlineInStore(open, accountId);
});

const send = (text: string) => open.store.messages.accept(sendOf(accountId, text), () => undefined);

const rowsOf = async (table: string) => (await open.database(table)).length;

const free = () => open.database.raw('PRAGMA max_page_count = 1000000');

test('sends are refused while the disk is full, no row is half stored, and reading still works', async () => {
  const reader = {
    accountId,
    clientId: 'client',
    sessionId: await open.store.agentSessions.create(accountId, 'client'),
  };
  await ingest(['one', 'two']);
  await fill();
  const big = 'x'.repeat(100_000);

  await expect(send(big)).rejects.toMatchObject({ code: 'database_full' });
  await expect(ingest(['three', big])).rejects.toMatchObject({ code: 'database_full' });

  expect(await rowsOf('messages')).toBe(0);
  expect(await rowsOf('entries')).toBe(2);
  const range = { channels: ['#room'], limit: 10 };
  expect((await open.store.history.newestFirst(accountId, range)).map(({ text }) => text)).toEqual(['two', 'one']);
  await free();
  expect(await send(big)).toMatchObject({ message: { status: 'pending' } });
  expect((await ingest(['three', big])).entries).toHaveLength(2);
  const unread = await open.store.agentCursors.nextBatch(reader, '#room', { limit: 10, cut: (all) => all });
  expect(unread.entries.map(({ text }) => text.slice(0, 5))).toEqual(['one', 'two', 'three', 'xxxxx']);
});

/** Keeps the database from growing further; SQLite then fails as on a full disk. */
async function fill(): Promise<void> {
  const [{ page_count: pages }] = await open.database.raw('PRAGMA page_count');
  await open.database.raw(`PRAGMA max_page_count = ${pages}`);
}

function ingest(texts: string[]) {
  return open.store.capture.ingest(accountId, 'main', {
    lines: texts.map((text, n) => ({ line: capturedLine(text, n), own: undefined })),
    isReplay: false,
    synced: new Set(),
  });
}
