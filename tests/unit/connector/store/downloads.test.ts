import { expect } from 'vitest';
import { DOWNLOADS_AT_ONCE } from '../../../../src/connector/domain/limits.ts';
import type { DownloadStore } from '../../../../src/connector/ports/download-store.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine, type OpenStore } from '../../../harness/open-store.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const test = testWithNewStore();

let serial = 0;

const leave = (processId: string) => open.database('processes').where('process_id', processId).delete();

test('downloads that begin at once at several processes begin up to their bound', async () => {
  const stores = [await process('prc_a'), await process('prc_b'), await process('prc_c')];

  const begun = await Promise.all(
    Array.from({ length: 4 * DOWNLOADS_AT_ONCE }, (_, n) => begin((stores[n % 3] ?? open.store).downloads)),
  );

  const isBegun = begun.filter((each) => typeof each === 'object');
  expect(isBegun).toHaveLength(DOWNLOADS_AT_ONCE);
  expect(new Set(begun)).toContain('exhausted');
  await stores[1]?.downloads.end(isBegun[0]?.downloadId ?? '');
  expect(await begin(open.asProcess('prc_b').downloads)).toMatchObject({ downloadId: expect.any(String) });
  expect(await begin(open.asProcess('prc_a').downloads)).toBe('exhausted');
});

test('one of several downloads that a person begins at once at several processes begins', async () => {
  const stores = [await process('prc_a'), await process('prc_b')];

  const begun = await Promise.all(Array.from({ length: 6 }, (_, n) => stores[n % 2]?.downloads.begin('ada', 'ada')));

  expect(begun.filter((each) => each !== 'reading')).toHaveLength(1);
});

test('downloads of a process that has ended count no more, and those of others do', async () => {
  const [a, b] = [await process('prc_a'), await process('prc_b')];
  await a.downloads.begin('ada', 'ada');
  await b.downloads.begin('bob', 'ada');

  await leave('prc_a');

  expect(await b.downloads.readersOf('ada')).toEqual(['bob']);
  expect(await b.downloads.begin('ada', 'ada')).toMatchObject({ downloadId: expect.any(String) });
  expect(await open.database('downloads')).toHaveLength(2);
});

test('a download that was not renewed for minutes counts no more, and cannot be renewed', async () => {
  const [a, b] = [await process('prc_a'), await process('prc_b')];
  const [stale, fresh] = [await a.downloads.begin('ada', 'ada'), await a.downloads.begin('bob', 'ada')];
  if (typeof stale === 'string' || typeof fresh === 'string') throw new Error('it did not begin');
  const pass = (downloadId: string) =>
    open.database('downloads').where('download_id', downloadId).update('lasts_until', 1);
  await open.database('downloads').where('download_id', fresh.downloadId).decrement('lasts_until', 60_000);
  expect(await a.downloads.renew(fresh.downloadId)).toBe(true);

  await pass(stale.downloadId);

  expect(await a.downloads.renew(stale.downloadId)).toBe(false);
  expect(await b.downloads.readersOf('ada')).toEqual(['bob']);
  expect(await b.downloads.begin('ada', 'ada')).toMatchObject({ downloadId: expect.any(String) });
  expect(await a.downloads.renew(stale.downloadId)).toBe(false);
});

test('a process that alone has its database forgets the downloads of an earlier run', async () => {
  await open.anew(open.clock).downloads.begin('ada', 'ada');
  const later = open.anew(open.clock).downloads;

  expect(await later.readersOf('ada')).toEqual([]);
  expect(await later.begin('ada', 'ada')).toMatchObject({ downloadId: expect.any(String) });
  expect(await later.begin('ada', 'ada')).toBe('reading');
});

async function told(accountId: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => ({ line: capturedLine(`line ${n}`, n + 1), own: undefined }));
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

const servicesOf = (store: OpenStore['store']): Services => createServices(serviceContext({ ...open, store }));

test('a person who downloads at one process cannot delete the history or download it again at another one', async () => {
  const ada = await open.account('ada');
  await told(ada, 1_200);
  const [here, there] = [servicesOf(await process('prc_a')), servicesOf(await process('prc_b'))];
  const reading = here.exportHistory({ accountId: ada, readerId: ada })[Symbol.asyncIterator]();
  await reading.next();

  await expect(there.deleteHistory(ada)).rejects.toMatchObject({ code: 'history_busy' });
  const again = there.exportHistory({ accountId: ada, readerId: ada })[Symbol.asyncIterator]();
  await expect(again.next()).rejects.toMatchObject({ code: 'history_busy' });
  await reading.return?.();

  await there.deleteHistory(ada);
  expect(await here.isHistoryBeingDeleted(ada)).toBe(true);
});

test('a download breaks off when it has stood still for so long that it counts no more', async () => {
  const ada = await open.account('ada');
  await told(ada, 1_200);
  const services = servicesOf(await process('prc_a'));
  const reading = services.exportHistory({ accountId: ada, readerId: ada })[Symbol.asyncIterator]();
  await reading.next();

  await open.database('downloads').update('lasts_until', 1);
  open.clock.set(open.clock.now() + 10 * 60_000);

  await expect(reading.next()).rejects.toMatchObject({ code: 'history_busy' });
  expect(await open.database('downloads')).toEqual([]);
});

/** A process that shares the database. */
async function process(processId: string): Promise<OpenStore['store']> {
  const row = { process_id: processId, name: processId, version: '1', started_at: 0, seen_at: 0, clock_ahead_ms: 0 };
  await open.database('processes').insert(row);
  return open.asProcess(processId);
}

/** Begins a download for a new reader. */
function begin(downloads: DownloadStore): ReturnType<DownloadStore['begin']> {
  serial += 1;
  return downloads.begin(`reader ${serial}`, 'account');
}
