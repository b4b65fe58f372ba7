import type { Knex } from 'knex';
import { isLeftOut, tableNames, tablesToMove } from '../move/tables.ts';

/** Tables that a start alone fills. */
const OF_STARTS: readonly string[] = ['installation'];

/** The connector's tables in a database. */
export interface Content {
  /** Names of the connector's own tables. */
  tables: string[];
  /** A table with rows that a start alone does not make; undefined if the database has no data to lose. */
  filled: string | undefined;
}

export async function contentOf(database: Knex): Promise<Content> {
  const ours = new Set((await tablesToMove()).map(({ name }) => name));
  const tables = (await tableNames(database)).filter((name) => isOwn(name, ours));
  for (const name of tables) {
    if (isLeftOut(name) || OF_STARTS.includes(name)) continue;
    if ((await database(name).first(database.raw('1'))) !== undefined) return { tables, filled: name };
  }
  return { tables, filled: undefined };
}

const isOwn = (name: string, ours: ReadonlySet<string>): boolean =>
  (isLeftOut(name) && !name.startsWith('sqlite_')) || ours.has(name);
