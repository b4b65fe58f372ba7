import { expect, test } from 'vitest';
import { foldText } from '../../../../src/connector/domain/fold.ts';
import { migrationSource } from '../../../../src/connector/store/migrations/index.ts';
import { textGramsOf } from '../../../../src/connector/store/text-grams.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { testDatabase } from '../../../harness/test-database.ts';

/** More than one step of the migration that folds them. */
const ENTRIES = 1_200;
const ROWS_AT_ONCE = 50;

const ACCOUNT = {
  account_id: 'acc',
  login: 'ada',
  nick: 'ada',
  nick_key: 'ada',
  bouncer_user: 'ada',
  bouncer_password_sealed: '',
  created_at: 0,
};

test('texts stored before search existed are folded by its migration', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  for (let step = 0; step < 3; step += 1) await database.migrate.up({ migrationSource });
  await database('accounts').insert(ACCOUNT);
  const texts = Array.from({ length: ENTRIES }, (_, index) => `\u0002GRÖSSE\u0002 ${index}`);
  await database.batchInsert(
    'entries',
    texts.map((text, index) => ({
      entry_id: `ent_${index}`,
      account_id: 'acc',
      fingerprint: `${index}`,
      network: 'main',
      channel: '#room',
      kind: 'message',
      sender: 'bob',
      text,
      event_at: 0,
      observed_at: 0,
      timestamp_source: 'server',
    })),
    ROWS_AT_ONCE,
  );

  await database.migrate.latest({ migrationSource });

  const folded: string[] = await database('entries').orderBy('row').pluck('text_folded');
  expect(folded).toEqual(texts.map(foldText));
  await database.destroy();
});

test('an index that does not know channels is made anew', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  for (let step = 0; step < 6; step += 1) await database.migrate.up({ migrationSource });
  await database('accounts').insert(ACCOUNT);
  const place = { account_id: 'acc', channel: '#room' };
  const [made] = await database('text_blocks')
    .insert({ ...place, first_row: 1, last_row: 16, oldest_at: 0, newest_at: 0 })
    .returning('block');
  await textGramsOf(database).put(database, [[Number(made.block), [1, 2, 3]]]);
  await database('text_marks').insert({ ...place, indexed_row: 16 });

  await database.migrate.latest({ migrationSource });

  for (const table of ['text_blocks', 'text_grams', 'text_marks']) {
    expect(await database(table).count({ rows: '*' }), table).toEqual([{ rows: own.kind === 'sqlite' ? 0 : '0' }]);
  }
  const wanted = { oneOf: [1], allOf: [], upTo: undefined };
  expect(await textGramsOf(database).blocks(database, wanted)).toEqual([]);
  await database.destroy();
});
