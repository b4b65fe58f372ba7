import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { Indexing } from '../../../../src/connector/upkeep/indexing.ts';
import { createLog } from '../../../../src/kernel/log.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { onlineInStore, sendOf } from '../../../harness/stored-sends.ts';

const log = createLog('indexing', 'error');

const BATCH = 1_000;

test('stored entries are indexed after a start, then new ones', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await open.store.capture.ingest(accountId, 'main', batchOf(1_000, 0));
  const indexing = new Indexing({ store: open.store, log });
  const { capture } = indexing.counting(open.store);
  const marked = async () => Number((await open.database('text_marks').first('indexed_row'))?.indexed_row ?? 0);

  expect(indexing.backlog).toBeNaN();
  const repeated = indexing.start();
  await waitFor('the old ones are indexed', async () => (await marked()) === 992);
  await capture.ingest(accountId, 'main', batchOf(100, 1_000));
  await waitFor('the new ones are indexed', async () => (await marked()) === 1_088);

  expect(indexing.backlog).toBe(0);
  await repeated.close();
});

test('own sends are indexed as well as lines of others', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const indexing = new Indexing({ store: open.store, log });
  const { messages } = indexing.counting(open.store);
  const repeated = indexing.start();
  await waitFor('nothing waits', () => indexing.backlog === 0);

  await onlineInStore(open, accountId);
  for (let n = 0; n < 64; n += 1) await messages.accept(sendOf(accountId, `send ${n}`), () => undefined);

  await waitFor('they are indexed', async () => (await open.store.textIndex.backlog(accountId))[0]?.entryCount === 0);
  await repeated.close();
});

test('entries that other processes store are found and indexed, besides those that this one stores', async () => {
  await using open = await openStore();
  const [adaId, eveId] = await Promise.all([open.account('ada'), open.account('eve')]);
  let hasOthers = false;
  const indexing = new Indexing({ store: open.store, log, freshness: { alone: () => (hasOthers ? undefined : 0) } });
  const { capture } = indexing.counting(open.store);
  const repeated = indexing.start();
  await waitFor('nothing waits', () => indexing.backlog === 0);
  const left = async (accountId: string) => (await open.store.textIndex.backlog(accountId))[0]?.entryCount;

  await open.store.capture.ingest(eveId, 'main', batchOf(100, 0));
  await capture.ingest(adaId, 'main', batchOf(64, 0));
  await waitFor('its own are indexed', async () => (await left(adaId)) === 0);
  const whileAlone = await left(eveId);
  hasOthers = true;

  await waitFor('those of others are indexed', async () => (await left(eveId)) === 100 % 16);
  expect(whileAlone).toBe(100);
  await repeated.close();
});

test('the backlog is counted channel by channel, by statements that each read at most ten thousand entries', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada', ['#a', '#b', '#c']);
  const waits = { '#a': 3, '#b': 10_005, '#c': 64 };
  for (const [channel, count] of Object.entries(waits)) await fill(open, accountId, channel, count);
  const statements: { sql: string; bindings: readonly unknown[] }[] = [];
  open.readers.on('query', (statement) => statements.push(statement));

  const backlog = await open.store.textIndex.backlog(accountId);

  expect(Object.fromEntries(backlog.map(({ channel, entryCount }) => [channel, entryCount]))).toEqual(waits);
  const counting = statements.filter(({ sql }) => sql.includes('count('));
  // The long channel takes two steps.
  expect(counting).toHaveLength(4);
  for (const { sql, bindings } of counting) {
    expect(sql).toMatch(/\blimit\b/);
    expect(bindings).toContain(10_000);
    expect(bindings).toContain(accountId);
  }
});

test('after a failure the backlog is counted on from where it stood, and the failure is logged once', async () => {
  await using open = await openStore();
  const ids = [await open.account('ada'), await open.account('eve'), await open.account('joe')];
  for (const id of ids) await open.store.capture.ingest(id, 'main', batchOf(65, 0));
  const asked: string[] = [];
  const textIndex = {
    ...open.store.textIndex,
    backlog: async (accountId: string) => {
      asked.push(accountId);
      if (asked.length === 2 || asked.length === 3) throw new Error('the database is away');
      return open.store.textIndex.backlog(accountId);
    },
  };
  const { log: listening, messages } = listeningLog();
  const indexing = new Indexing({ store: { ...open.store, textIndex }, log: listening });

  const repeated = indexing.start();
  await waitFor('all is indexed', () => indexing.backlog === 0, { timeoutMs: 20_000 });
  await repeated.close();

  const [first, second] = asked;
  expect(asked.filter((id) => id === first)).toHaveLength(1);
  expect(asked.filter((id) => id === second)).toHaveLength(3);
  expect(messages).toEqual(['the search index could not be extended; trying again']);
});

test('captured entries are indexed while earlier entries of other accounts are still being counted', async () => {
  await using open = await openStore();
  const ids = [await open.account('ada'), await open.account('eve')];
  for (const id of ids) await open.store.capture.ingest(id, 'main', batchOf(64, 0));
  const counted: string[] = [];
  const slow = Promise.withResolvers<void>();
  const textIndex = {
    ...open.store.textIndex,
    backlog: async (accountId: string) => {
      counted.push(accountId);
      if (counted.length === 2) await slow.promise;
      return open.store.textIndex.backlog(accountId);
    },
  };
  const indexing = new Indexing({ store: { ...open.store, textIndex }, log });

  const repeated = indexing.start();
  await waitFor('the second account is being counted', () => counted.length === 2);

  const indexed = await open.database('text_blocks').distinct('account_id').pluck('account_id');
  slow.resolve();
  await repeated.close();
  expect(indexed).toEqual([counted[0]]);
});

function lines(count: number, from: number, channel?: string) {
  return Array.from({ length: count }, (_, n) => ({
    line: capturedLine(`line ${from + n}`, from + n, channel),
    own: undefined,
  }));
}

function batchOf(count: number, from: number, channel?: string) {
  return {
    lines: lines(count, from, channel),
    isReplay: false,
    synced: new Set<string>(),
  };
}

async function fill({ store }: OpenStore, accountId: string, channel: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await store.capture.ingest(accountId, 'main', batchOf(Math.min(BATCH, count - from), from, channel));
  }
}
