import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import type { Table } from './tables.ts';

export type Value = string | number | null;

/** Values of a row, in the order of the table's columns. */
export type Row = readonly Value[];

/** Most rows that are read and written at once. */
const STEP_ROWS = 1_000;
/** Most bytes of texts that are read and written at once, unless a single row has more. */
const STEP_BYTES = 8 * 1024 * 1024;

/** A table and how many of its rows fit into a step. */
export interface SteppedTable extends Table {
  stepRows: number;
}

/** @param longestRow bytes of the texts of the table's longest row */
export const stepped = (table: Table, longestRow: number): SteppedTable => ({
  ...table,
  stepRows: Math.max(1, Math.min(STEP_ROWS, Math.floor(STEP_BYTES / Math.max(longestRow, 1)))),
});

/** Error for a value that the program could not read from the target. */
export class BrokenValue extends Error {
  constructor(where: string, problem: string) {
    super(`${where}: a value would be lost: expected ${problem}`);
  }
}

/** Returns the next rows after a key, in the order of the primary key. @throws BrokenValue */
async function readStep(database: Knex, table: SteppedTable, after: Row | undefined): Promise<Row[]> {
  const isFile = dialectOf(database) === 'sqlite';
  // SQLite’s driver would replace broken bytes in a text.
  const selected = table.columns.map(({ name, type }) =>
    isFile && type === 'text' ? database.raw('CAST(?? AS BLOB) AS ??', [name, name]) : name,
  );
  const query = database(table.name)
    .select(selected)
    .orderBy([...table.keys])
    .limit(table.stepRows);
  if (isFile) query.select(database.raw('_rowid_ AS rowid_of_row'));
  if (after !== undefined) {
    const names = table.keys.map(() => '??').join(', ');
    query.whereRaw(`(${names}) > (${table.keys.map(() => '?').join(', ')})`, [...table.keys, ...after]);
  }
  const found: Record<string, Value | Buffer>[] = await query;
  return found.map((row) => table.columns.map(({ name }) => decodedValue(table, name, row)));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodedValue(table: Table, column: string, row: Record<string, Value | Buffer>): Value {
  const value = row[column] ?? null;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new BrokenValue(whereOf(table, column, row), `an integer of at most ${Number.MAX_SAFE_INTEGER}`);
  }
  if (!Buffer.isBuffer(value)) return value;
  try {
    return utf8.decode(value);
  } catch {
    // The decoder does not know the place of the value.
    throw new BrokenValue(whereOf(table, column, row), 'UTF-8, received other bytes');
  }
}

/** Names a row in messages by its number, because keys may be secret. */
function whereOf({ name, numbered }: Table, column: string, row: Record<string, unknown>): string {
  const rowid = row['rowid_of_row'] ?? (numbered === undefined ? undefined : row[numbered]);
  return `table ${name}, column ${column}${rowid === undefined ? '' : `, rowid ${String(rowid)}`}`;
}

/** Returns the primary key of a row. */
export const keyOf = ({ columns, keys }: Table, row: Row): Row =>
  keys.map((key) => row[columns.findIndex(({ name }) => name === key)] ?? null);

/** Yields all rows of a table after a key, a step at a time. @throws BrokenValue */
export async function* stepsOf(database: Knex, table: SteppedTable, from?: Row): AsyncGenerator<Row[]> {
  let after = from;
  for (;;) {
    const rows = await readStep(database, table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(table, last);
  }
}

/** Inserts rows by one statement with few parameters, however many rows there are. */
export async function insertRows(transaction: Knex, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => column.name);
  const into = `INSERT INTO ?? (${names.map(() => '??').join(', ')})`;
  if (dialectOf(transaction) === 'sqlite') {
    const values = names.map((_, index) => `json_extract(value, '$[${index}]')`).join(', ');
    await transaction.raw(`${into} SELECT ${values} FROM json_each(?)`, [name, ...names, JSON.stringify(rows)]);
    return;
  }
  const arrays = columns.map(({ type }) => `?::${type}[]`).join(', ');
  const byColumn = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  // The library expands an array into several values, unless it is within another one.
  await transaction.raw(`${into} SELECT * FROM unnest(${arrays})`, [
    name,
    ...names,
    ...byColumn,
  ] as unknown as Knex.RawBinding[]);
}

/** A table's number of rows and the sum of their hashes, which is the same in any order. */
export interface Sum {
  rows: number;
  checksum: string;
}

const HASH_BITS = 128n;

/** Counts rows and adds up their hashes: the first 128 bits of the SHA-256 of each row as JSON. */
export class Summing {
  #rows = 0;
  #total = 0n;

  add(row: Row): void {
    this.#rows += 1;
    const hash = createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 32);
    this.#total = BigInt.asUintN(Number(HASH_BITS), this.#total + BigInt(`0x${hash}`));
  }

  get sum(): Sum {
    return { rows: this.#rows, checksum: this.#total.toString(16).padStart(32, '0') };
  }
}

/** @throws BrokenValue */
export async function sumOf(database: Knex, table: SteppedTable, seen?: (rows: number) => void): Promise<Sum> {
  const summing = new Summing();
  for await (const rows of stepsOf(database, table)) {
    for (const row of rows) summing.add(row);
    seen?.(rows.length);
  }
  return summing.sum;
}

export const isSame = (one: Sum | undefined, other: Sum | undefined): boolean =>
  one !== undefined && one.rows === other?.rows && one.checksum === other.checksum;
