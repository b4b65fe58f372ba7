import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';

/** Which blocks have which grams: a full-text table whose words are the grams, or a column of arrays. */
export interface TextGrams {
  /** Sets the grams of blocks, whatever they were before. */
  put(database: Database, blocks: readonly GramsOfBlock[]): Promise<void>;
  remove(database: Database, blocks: readonly number[]): Promise<void>;
  /** Blocks that have one of the first grams and all of the others, those made last first. */
  blocks(database: Database, wanted: WantedGrams): Knex.QueryBuilder;
}

export interface WantedGrams {
  oneOf: readonly number[];
  allOf: readonly number[];
  /** The first block that may be told; undefined for any. */
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
  // In this order, and only as many as are taken, the table tells them by itself.
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
  // By its own index of rows, of which the planner would make use, all of them would be looked at.
  blocks: (database, { oneOf, allOf, upTo = Number.MAX_SAFE_INTEGER }) =>
    database('text_grams')
      .whereRaw('grams && ?::integer[] AND grams @> ?::integer[]', [arrayOf(oneOf), arrayOf(allOf)])
      .whereRaw('rowid + 0 <= ?', [upTo])
      .orderByRaw('rowid + 0 DESC')
      .select(database.raw('rowid + 0 AS block')),
};

const places = (blocks: readonly unknown[], place: string): string => blocks.map(() => place).join(', ');

/** Each begins with a letter, so that none of them means something in a query. */
const wordsOf = (grams: Iterable<number>): string[] =>
  Array.from(grams, (gram) => (gram < 0 ? `c${(~gram).toString(RADIX)}` : `g${gram.toString(RADIX)}`));

export const textGramsOf = (database: Database): TextGrams => (dialectOf(database) === 'postgres' ? arrays : words);

const arrayOf = (grams: Iterable<number>): string => `{${[...grams].join(',')}}`;

async function remove(database: Database, blocks: readonly number[]): Promise<void> {
  await database('text_grams')
    .whereIn('rowid', [...blocks])
    .delete();
}
