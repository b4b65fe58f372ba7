import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { convertToSteps } from '../../../../src/connector/store/connect/convert-to-steps.ts';
import { openDatabase } from '../../../../src/connector/store/database.ts';
import { createSpaceStore } from '../../../../src/connector/store/space.ts';
import { startDeletions } from '../../../../src/connector/upkeep/deletions.ts';
import { startGivingBack } from '../../../../src/connector/upkeep/giving-back.ts';
import { prune } from '../../../../src/connector/upkeep/pruning.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { heard } from '../../../harness/mentions.ts';
import { migratedDatabase } from '../../../harness/migrated-database.ts';
import { choiceOf, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { fileDatabase, type TestDatabase } from '../../../harness/test-database.ts';

const LINES = 1_200;
const LINES_AT_ONCE = 40;

/** All that a thief of the disk would find. */
const bytesOf = (file: string): string =>
  [file, `${file}-wal`].map((name) => (existsSync(name) ? readFileSync(name, 'latin1') : '')).join('');

const sizeOf = (file: string): number => statSync(file).size;

test('deleted text is gone from the file and its log, and the file becomes smaller', async () => {
  await using open = await openStore();
  const [ada, ben] = [await open.account('ada'), await open.account('ben')];
  await talk(open, [ada, ben]);
  const file = fileOf(open);
  await open.database.raw('PRAGMA wal_checkpoint(PASSIVE)');
  const before = sizeOf(file);
  expect(bytesOf(file)).toContain('qadaq7 ');
  const { log, messages } = listeningLog();
  const space = startGivingBack({ space: createSpaceStore(open.database), clock: systemClock, log });
  const deletions = startDeletions({
    retention: open.store.retention,
    invalidations: open.invalidations,
    log,
    onRemoved: space.afterDeletion,
  });

  await open.store.retention.forgetStored(ada);
  await waitFor('nothing of it is left', async () => !/qadaq/i.test(bytesOf(file)));
  await waitFor('room is given back', async () => sizeOf(file) < before * 0.7);
  await deletions.close();
  await space.close();

  expect(bytesOf(file)).toContain('qbenq7 ');
  expect(messages).toEqual([]);
});

test('the search index keeps no run of characters that only deleted texts had', async () => {
  await using open = await openStore();
  const accounts = [await open.account('ada'), await open.account('ben')] as const;
  await talk(open, [accounts[1], accounts[1]]);
  await giveAllBack(open);
  const without = await indexedWords(open.database);
  const rare = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x4e00 + n));
  await heard(open, accounts[0], rare);
  await indexAll(open, accounts[0]);
  expect(await indexedWords(open.database)).toBeGreaterThan(without + 1_000);

  while ((await open.store.retention.pruneOldest(accounts[0], 200)) > 0);
  await giveAllBack(open);

  expect(await indexedWords(open.database)).toBe(without);
});

test('lines that retention removes are overwritten, too, on any page of the file', async () => {
  await using open = await openStore();
  const accounts = [await open.account('ada'), await open.account('ben')] as const;
  await talk(open, accounts);
  const file = fileOf(open);
  const keep = () => ({ days: 1, entriesPerAccount: 200 });

  for (const accountId of accounts) {
    await prune(
      accountId,
      { store: open.store, clock: open.clock, keep, isSteady: () => true },
      new AbortController().signal,
    );
  }
  await giveAllBack(open);

  const left = new Set([...bytesOf(file).matchAll(/q(?:ada|ben)q(\d+) /g)].map(([, n]) => Number(n)));
  expect(Math.min(...left)).toBe(LINES - 200);
});

test('a program that reads an earlier state keeps its view, and what was deleted goes when it has ended', async () => {
  await using open = await openStore();
  const ada = await open.account('ada');
  await heard(open, ada, ['said and deleted']);
  const file = fileOf(open);
  const backup = fileDatabase(file).connect();
  await backup.raw('BEGIN');
  expect(await backup('entries')).toHaveLength(1);

  await open.store.retention.pruneOldest(ada, 1);
  await expect(giveAllBack(open)).rejects.toThrow('the database is read at this moment');
  expect(await backup('entries')).toHaveLength(1);
  // Others may write meanwhile.
  await heard(open, ada, ['said later']);
  await backup.raw('COMMIT');
  await backup.destroy();
  await giveAllBack(open);

  expect(bytesOf(file)).not.toContain('said and deleted');
  expect(bytesOf(file)).toContain('said later');
});

/** A database as earlier versions made it. */
async function earlierFile(folder: string): Promise<TestDatabase> {
  const own = await migratedDatabase(folder);
  const earlier = own.connect();
  await earlier.raw('PRAGMA journal_mode = DELETE');
  await earlier.raw('PRAGMA auto_vacuum = NONE');
  await earlier.raw('VACUUM');
  await earlier.destroy();
  return own;
}

test('a file of an earlier version is converted once, at a start, with all that is in it', async () => {
  await using folder = await tempFolder();
  await using own = await earlierFile(folder.path);
  const earlier = own.connect();
  const tables = await earlier('sqlite_master').orderBy('name').pluck('sql');
  await earlier.destroy();
  const { log, messages } = listeningLog('info');

  const opened = await openDatabase(choiceOf(own.config), systemClock, undefined, log);
  expect(await opened.database.raw('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
  expect(await opened.database('sqlite_master').orderBy('name').pluck('sql')).toEqual(tables);
  expect(await opened.database.raw('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await opened.close();
  expect(messages).toEqual([
    'converting the database, so that it becomes smaller by deletions',
    'the database is converted',
  ]);

  await (await openDatabase(choiceOf(own.config), systemClock, undefined, log)).close();
  expect(messages).toHaveLength(2);
});

test('a file that is too large, or read by another program, stays as it is and is used', async () => {
  await using folder = await tempFolder();
  await using own = await earlierFile(folder.path);
  const file = own.config.sqlite?.file ?? '';
  const { log, messages } = listeningLog();
  const database = own.connect();

  await convertToSteps(database, file, log, sizeOf(file) - 1);
  expect(messages).toEqual([
    expect.stringContaining(
      'it is too large to be converted at a start: stop the service and run homeport-connector compact',
    ),
  ]);
  const other = own.connect();
  await other.raw('BEGIN IMMEDIATE');
  await convertToSteps(database, file, log);
  await other.raw('COMMIT');
  await other.destroy();
  expect(messages[1]).toContain('the next start tries again');
  expect(await database.raw('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 0 }]);
  await database('totals').select();
  await database.destroy();
});

/** Lines of both accounts, one beside the other as they come, of many lengths; all are in the search index. */
async function talk(open: OpenStore, [ada, ben]: readonly [string, string]): Promise<void> {
  const line = (word: string, n: number) => `${word}${n} ${'lorem ipsum '.repeat(n % 37)}${word.toUpperCase()}`;
  for (let first = 0; first < LINES; first += LINES_AT_ONCE) {
    const numbers = Array.from({ length: LINES_AT_ONCE }, (_, n) => first + n);
    await heard(
      open,
      ada,
      numbers.map((n) => line('qadaq', n)),
    );
    await heard(
      open,
      ben,
      numbers.map((n) => line('qbenq', n)),
    );
  }
  for (const account of [ada, ben]) await indexAll(open, account);
}

async function indexAll(open: OpenStore, account: string): Promise<void> {
  while ((await open.store.textIndex.extend(account, '#room')) > 0);
}

/** Words of the search index, also those that only deleted texts had. */
async function indexedWords(database: Knex): Promise<number> {
  await database.raw("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'text_grams', 'row')");
  const [row]: { words: number }[] = await database.raw('SELECT count(*) AS words FROM temp.words');
  return row?.words ?? 0;
}

async function giveAllBack(open: OpenStore): Promise<void> {
  for await (const _step of createSpaceStore(open.database).giveBack({ index: true }));
}

function fileOf(open: OpenStore): string {
  const { filename } = open.database.client.config.connection as { filename: string };
  return filename;
}
