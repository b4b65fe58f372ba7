import { expect, test } from 'vitest';
import { migrate } from '../../../../src/connector/store/migrate.ts';
import { differenceOf, inOrder, type Table, tablesToMove } from '../../../../src/connector/store/move/tables.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { testDatabase } from '../../../harness/test-database.ts';

test('a table moves behind all tables that it refers to', () => {
  const tables = [table('selections', 'grants'), table('grants', 'accounts'), table('accounts'), table('totals')];

  expect(inOrder(tables).map(({ name }) => name)).toEqual(['accounts', 'grants', 'selections', 'totals']);
});

test('rows that a table refers to and that stay behind do not hold it up', () => {
  expect(inOrder([table('text', 'left behind')]).map(({ name }) => name)).toEqual(['text']);
});

test('tables that refer to each other are named', () => {
  expect(() => inOrder([table('hen', 'egg'), table('egg', 'hen')])).toThrow('tables refer to each other: hen, egg');
});

test('everything moves but what belongs to a process, the search index, and the tables of libraries', async () => {
  const tables = await tablesToMove();

  // A new table needs a decision here whether it moves.
  expect(tables.map(({ name }) => name).sort()).toEqual([
    'accounts',
    'agent_cursors',
    'agent_sessions',
    'browser_sessions',
    'channel_counts',
    'channel_syncs',
    'consents',
    'deliveries',
    'dropped_deliveries',
    'entries',
    'grants',
    'installation',
    'message_parts',
    'messages',
    'network_logins',
    'oauth_records',
    'owed_passwords',
    'retention_borders',
    'selections',
    'send_counts',
    'subscriptions',
    'totals',
  ]);
});

test('the tables to move are those of the database that the tests run on, with the same columns and types', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  await migrate(database);
  const tables = await tablesToMove();

  const difference = await differenceOf(database, tables);
  const types = new Set<string>();
  for (const { name, columns } of tables) {
    const info = await database(name).columnInfo();
    for (const column of columns) types.add(`${column.type} is ${info[column.name]?.type?.toLowerCase()}`);
  }
  await database.destroy();

  expect(difference).toBeUndefined();
  // SQLite declares numbered columns as integers.
  const declared = own.kind === 'sqlite' ? ['bigint is integer'] : [];
  expect([...types].sort()).toEqual([...declared, 'bigint is bigint', 'integer is integer', 'text is text'].sort());
});

function table(name: string, ...references: string[]): Table {
  return {
    name,
    references,
    columns: [],
    keys: [],
    indexes: [],
    numbered: undefined,
  };
}
