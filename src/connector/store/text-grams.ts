import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';

/** The index from grams to blocks: a full-text table whose words are the grams (SQLite), or a column of arrays (PostgreSQL). */
export interface TextGrams {
  /** Sets the grams of blocks; replaces earlier ones. */
  put(database: Database, blocks: readonly GramsOfBlock[]): Promise<void>;
  remove(database: Database, blocks: readonly number[]): Promise<void>;
  /** Blocks that have one of `oneOf` and all of `allOf`, newest block first. */
  blocks(database: Database, wanted: WantedGrams): Knex.QueryBuilder;
}

export interface WantedGrams {
  oneOf: readonly number[];
  allOf: readonly number[];
  /** The newest block to return; undefined for no bound. */
  upTo: number | undefined;
}

type GramsOfBlock = readonly [block: number, grams: Iterable<number>];

const RADIX = 36;

const words: TextGrams = {
  put: async (database, blocks) => {
    const values = blocks.flatMap(([block, grams]) => [block, wordsOf(grams).join(' ')]);
    await database.raw(`INSERT OR REPLACE INTO text_grams (rowid, grams) VALUES ${places(blocks, '(?, ?)')}`, values);
  },
  remove,
  // The table returns rows in this order itself, and stops at the limit.
  blocks: (database, { oneOf, allOf, upTo = Number.MAX_SAFE_INTEGER }) =>
    database('text_grams')
      .whereRaw('text_grams MATCH ?', [[`(${wordsOf(oneOf).join(' OR ')})`, ...wordsOf(allOf)].join(' AND ')])
      .where('rowid', '<=', upTo)
      .orderBy('rowid', 'desc')
      .select('rowid as block'),
};

const arrays: TextGrams = {
  put: async (database, blocks) => {
    const values = blocks.flatMap(([block, grams]) => [block, arrayOf(grams)]);
    await database.raw(
      `INSERT INTO text_grams (rowid, grams) VALUES ${places(blocks, '(?, ?::integer[])')}
       ON CONFLICT (rowid) DO UPDATE SET grams = excluded.grams`,
      values,
    );
  },
  remove,
  // `+ 0` keeps the planner from using the index on rowid, with which it would read all rows.
  blocks: (database, { oneOf, allOf, upTo = Number.MAX_SAFE_INTEGER }) =>
    database('text_grams')
      .whereRaw('grams && ?::integer[] AND grams @> ?::integer[]', [arrayOf(oneOf), arrayOf(allOf)])
      .whereRaw('rowid + 0 <= ?', [upTo])
      .orderByRaw('rowid + 0 DESC')
      .select(database.raw('rowid + 0 AS block')),
};

const places = (blocks: readonly unknown[], place: string): string => blocks.map(() => place).join(', ');

/** Returns the grams as words that begin with a letter, so that they are not operators of the query. */
const wordsOf = (grams: Iterable<number>): string[] =>
  Array.from(grams, (gram) => (gram < 0 ? `c${(~gram).toString(RADIX)}` : `g${gram.toString(RADIX)}`));

export const textGramsOf = (database: Database): TextGrams => (dialectOf(database) === 'postgres' ? arrays : words);

const arrayOf = (grams: Iterable<number>): string => `{${[...grams].join(',')}}`;

async function remove(database: Database, blocks: readonly number[]): Promise<void> {
  await database('text_grams')
    .whereIn('rowid', [...blocks])
    .delete();
}
