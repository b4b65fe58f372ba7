import type { Knex } from 'knex';
import { memoryDatabase } from '../connect/sqlite.ts';
import { dialectOf } from '../dialect.ts';
import { migrate, UNFINISHED_MOVE } from '../migrate.ts';

/** Tables that stay behind, with the reason. Those of SQLite itself begin with `sqlite_`. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  knex_migrations: 'each database has its own; both have the same schema',
  knex_migrations_lock: 'belongs to knex_migrations',
  [UNFINISHED_MOVE]: 'records how far a move has come',
  leases: 'names the process that has the database',
  processes: 'names the processes that share the database',
  slots: 'names the process that has the database',
  decided_settings: 'settings of a process, which it stores when it starts',
  account_slots: 'names the processes that act for accounts',
  orders: 'an order outlasts its process for a minute at most',
  downloads: 'no download outlasts a process',
  login_attempts: 'attempts count for a day at most',
  calls: 'the newest calls of clients, which are kept for a day at most',
  presences: 'no session with the bouncer outlasts a process',
  text_blocks: 'the search index differs between the databases; the connector rebuilds it while it runs',
  text_marks: 'belongs to the search index',
  text_grams: 'belongs to the search index',
};

/** Columns that stay at their defaults: the lease of a delivery. */
const LEFT_OUT_COLUMNS: Readonly<Record<string, readonly string[]>> = { deliveries: ['leased_until', 'leased_by'] };

/** Greatest integer of each type that the program can use: it keeps all of them as numbers. */
export const INTEGER_MAX = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER } as const;

export type ColumnType = 'text' | keyof typeof INTEGER_MAX;

export interface Column {
  name: string;
  type: ColumnType;
}

/** A table that moves. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** The columns of its primary key, in order. */
  keys: readonly string[];
  /** Text columns of each of its indexes; PostgreSQL limits their length in an index. */
  indexes: readonly (readonly string[])[];
  /** The tables that its rows refer to. */
  references: readonly string[];
  /** Column that the database numbers for new rows, if there is one. */
  numbered: string | undefined;
}

export const isLeftOut = (table: string): boolean =>
  Object.hasOwn(LEFT_OUT_TABLES, table) || table.startsWith('sqlite_') || table.startsWith('text_grams_');

/**
 * Returns the tables to move, each after those that it refers to. They are read from an empty database in memory that
 * the migrations of this version make, so that no real database is needed and a new table need not be listed.
 * @param prepare makes the tables, for those of an earlier version
 */
export async function tablesToMove(prepare: (empty: Knex) => Promise<unknown> = migrate): Promise<Table[]> {
  const empty = memoryDatabase();
  try {
    await prepare(empty);
    const found: { name: string; sql: string }[] = await empty('sqlite_master')
      .where('type', 'table')
      .orderBy('name')
      .select('name', 'sql');
    const tables: Table[] = [];
    for (const { name, sql } of found) if (!isLeftOut(name)) tables.push(await tableOf(empty, name, sql));
    return inOrder(tables);
  } finally {
    await empty.destroy();
  }
}

async function tableOf(empty: Knex, table: string, sql: string): Promise<Table> {
  const columns: { name: string; type: string; pk: number }[] = await empty.raw(
    'SELECT name, type, pk FROM pragma_table_info(?)',
    [table],
  );
  const references: { table: string }[] = await empty.raw('SELECT "table" FROM pragma_foreign_key_list(?)', [table]);
  const keyColumns = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const keys = keyColumns.map(({ name }) => name);
  if (keys.length === 0) throw new Error(`table ${table} has no primary key to go on by`);
  const indexed: { index_name: string; name: string }[] = await empty.raw(
    `SELECT list.name AS index_name, info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
     ORDER BY list.name, info.seqno`,
    [table],
  );
  const numbered = /\bautoincrement\b/i.test(sql) ? keys[0] : undefined;
  const leftOut = LEFT_OUT_COLUMNS[table] ?? [];
  const moved = columns
    .filter(({ name }) => !leftOut.includes(name))
    // SQLite numbers only columns of this type; PostgreSQL has a bigint there.
    .map(({ name, type }): Column => ({ name, type: name === numbered ? 'bigint' : typeOf(table, name, type) }));
  const texts = moved.filter(({ type }) => type === 'text').map(({ name }) => name);
  return {
    name: table,
    columns: moved,
    keys,
    indexes: textsOfIndexes(indexed, texts),
    references: [...new Set(references.map((each) => each.table))].filter((name) => name !== table),
    numbered,
  };
}

/** Returns the text columns of each index, without duplicates. */
function textsOfIndexes(indexed: { index_name: string; name: string }[], texts: readonly string[]): string[][] {
  const byIndex = Map.groupBy(indexed, ({ index_name }) => index_name);
  const columns = [...byIndex.values()].map((parts) =>
    parts.map(({ name }) => name).filter((name) => texts.includes(name)),
  );
  const different = new Map(columns.map((names) => [names.toSorted().join(' '), names]));
  return [...different.values()].filter((names) => names.length > 0);
}

function typeOf(table: string, column: string, declared: string): ColumnType {
  const type = declared.toLowerCase();
  if (type === 'text' || type === 'bigint' || type === 'integer') return type;
  throw new Error(`column ${column} of table ${table} is ${declared}, which a move does not know`);
}

/** Sorts the tables, each after all that it refers to. @throws Error if they refer to each other */
export function inOrder(tables: readonly Table[]): Table[] {
  const [waiting, done] = [[...tables], new Set<string>()];
  const ordered: Table[] = [];
  const moves = new Set(tables.map(({ name }) => name));
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ references }) => references.every((name) => done.has(name) || !moves.has(name)));
    const [table] = next < 0 ? [] : waiting.splice(next, 1);
    if (table === undefined) {
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    }
    ordered.push(table);
    done.add(table.name);
  }
  return ordered;
}

/** Returns the names of all tables of a database, in order. */
export async function tableNames(database: Knex): Promise<string[]> {
  if (dialectOf(database) === 'sqlite') {
    return database('sqlite_master').where('type', 'table').orderBy('name').pluck('name');
  }
  const { rows }: { rows: { name: string }[] } = await database.raw(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

async function columnNames(database: Knex, table: string): Promise<string[]> {
  if (dialectOf(database) === 'sqlite') {
    const found: { name: string }[] = await database.raw('SELECT name FROM pragma_table_info(?)', [table]);
    return found.map(({ name }) => name);
  }
  const { rows }: { rows: { name: string }[] } = await database.raw(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped',
    [table],
  );
  return rows.map(({ name }) => name);
}

const RESTORE = 'restore it from a backup';

/** Describes the difference between a database and the tables of this version; undefined if there is no difference. */
export async function differenceOf(database: Knex, tables: readonly Table[]): Promise<string | undefined> {
  const names = await tableNames(database);
  const stranger = strangerAmong(names, tables);
  if (stranger !== undefined) {
    return `table ${stranger} is not one of the connector’s, and would not move: remove it, or ${RESTORE}`;
  }
  // A view with the same name would pass for it, and may have endless rows.
  const lacking = tables.find(({ name }) => !names.includes(name));
  if (lacking !== undefined) return `there is no table ${lacking.name}: ${RESTORE}`;
  for (const { name, columns } of tables) {
    const found = await columnNames(database, name);
    const without = columns.find((column) => !found.includes(column.name));
    if (without !== undefined) return `table ${name} has no column ${without.name}: ${RESTORE}`;
    const all = [...columns.map((column) => column.name), ...(LEFT_OUT_COLUMNS[name] ?? [])];
    const more = found.find((each) => !all.includes(each));
    if (more !== undefined) {
      return `table ${name} has a column ${more}, which is not one of the connector’s, and would not move: ${RESTORE}`;
    }
  }
  return undefined;
}

/** Returns a table that is not the connector's, if there is one. */
export function strangerAmong(names: readonly string[], tables: readonly Table[]): string | undefined {
  const ours = new Set(tables.map(({ name }) => name));
  return names.find((name) => !isLeftOut(name) && !ours.has(name));
}
