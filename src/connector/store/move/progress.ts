import type { Knex } from 'knex';
import { UNFINISHED_MOVE } from '../migrate.ts';
import type { Row, Sum } from './rows.ts';
import type { Table } from './tables.ts';

/** Progress of the move of one table. */
export interface Progress {
  /** Sum of the source's table. */
  of: Sum;
  copied: number;
  /** The primary key of the last row that was copied. */
  after: Row | undefined;
}

interface ProgressRow {
  table_name: string;
  source_rows: number;
  source_checksum: string;
  copied_rows: number;
  last_key: string | null;
}

const COLUMNS: readonly (keyof ProgressRow)[] = [
  'table_name',
  'source_rows',
  'source_checksum',
  'copied_rows',
  'last_key',
];

/**
 * Returns the progress of each table of the unfinished move into this target; undefined if there is no such move,
 * `unknown` if another version has written it in another form.
 */
export async function readProgress(target: Knex): Promise<Map<string, Progress> | 'unknown' | undefined> {
  if (!(await target.schema.hasTable(UNFINISHED_MOVE))) return undefined;
  const found = Object.keys(await target(UNFINISHED_MOVE).columnInfo());
  if (found.toSorted().join() !== COLUMNS.toSorted().join()) return 'unknown';
  const rows = (await target(UNFINISHED_MOVE)) as ProgressRow[];
  return new Map(rows.map((row) => [row.table_name, progressOf(row)]));
}

const progressOf = ({ source_rows, source_checksum, copied_rows, last_key }: ProgressRow): Progress => ({
  of: { rows: source_rows, checksum: source_checksum },
  copied: copied_rows,
  after: last_key === null ? undefined : (JSON.parse(last_key) as Row),
});

/** Creates the table of the move's progress. Until `endProgress` removes it no connector starts on the target. */
export async function beginProgress(target: Knex, sums: ReadonlyMap<string, Sum>): Promise<Map<string, Progress>> {
  await target.transaction(async (transaction) => {
    await transaction.schema.createTable(UNFINISHED_MOVE, (table) => {
      table.text('table_name').primary();
      table.bigInteger('source_rows').notNullable();
      table.text('source_checksum').notNullable();
      table.bigInteger('copied_rows').notNullable();
      table.text('last_key');
    });
    const rows = [...sums].map(([name, { rows: count, checksum }]) => ({
      ...{ table_name: name, source_rows: count, source_checksum: checksum },
      ...{ copied_rows: 0, last_key: null },
    }));
    await transaction(UNFINISHED_MOVE).insert(rows);
  });
  return new Map([...sums].map(([name, of]) => [name, { of, copied: 0, after: undefined }]));
}

/** Records in a transaction that rows were copied. Returns false if another process has done so meanwhile. */
export async function noteCopied(
  transaction: Knex,
  { name }: Table,
  { copied }: Progress,
  { rows, lastKey }: { rows: number; lastKey: Row },
): Promise<boolean> {
  const changed = await transaction<ProgressRow>(UNFINISHED_MOVE)
    .where({ table_name: name, copied_rows: copied })
    .update({ copied_rows: copied + rows, last_key: JSON.stringify(lastKey) });
  return changed === 1;
}

export const endProgress = (transaction: Knex): Promise<void> => transaction.schema.dropTable(UNFINISHED_MOVE);
