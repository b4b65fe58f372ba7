import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { Indexing } from '../../../../src/connector/upkeep/indexing.ts';
import { createLog } from '../../../../src/kernel/log.ts';
import { capturedLine, openStore } from '../../../harness/open-store.ts';

const log = createLog('indexing', 'error');
const lines = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => ({ line: capturedLine(`line ${from + n}`, from + n), own: undefined }));
const batchOf = (count: number, from: number) => ({
  lines: lines(count, from),
  isReplay: false,
  synced: new Set<string>(),
});

test('stored entries are indexed after a start, then new ones', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await open.store.capture.ingest(accountId, 'main', batchOf(1_000, 0));
  const indexing = new Indexing({ store: open.store, log });
  const capture = indexing.noting(open.store.capture);
  const marked = async () => Number((await open.database('text_marks').first('indexed_row'))?.indexed_row ?? 0);

  expect(indexing.backlog).toBeNaN();
  indexing.start();
  await waitFor('the old ones are indexed', async () => (await marked()) === 992);
  await capture.ingest(accountId, 'main', batchOf(100, 1_000));
  await waitFor('the new ones are indexed', async () => (await marked()) === 1_088);

  expect(indexing.backlog).toBe(0);
  await indexing.close();
});
