import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';

/** Which blocks have which grams: a full-text table whose words are the grams, or a column of arrays. */
export interface TextGrams {
  /** Sets the grams of blocks, whatever they were before. */
  put(database: Database, blocks: readonly GramsOfBlock[]): Promise<void>;
  remove(database: Database, blocks: readonly number[]): Promise<void>;
  /** A condition on `text_grams` for blocks that have them all. */
  condition(grams: readonly number[]): { sql: string; binding: string };
}

type GramsOfBlock = readonly [block: number, grams: Iterable<number>];

const RADIX = 36;

const words: TextGrams = {
  put: async (database, blocks) => {
    const values = blocks.flatMap(([block, grams]) => [block, wordsOf(grams).join(' ')]);
    await database.raw(`INSERT OR REPLACE INTO text_grams (rowid, grams) VALUES ${places(blocks, '(?, ?)')}`, values);
  },
  remove,
  condition: (grams) => ({ sql: 'text_grams MATCH ?', binding: wordsOf(grams).join(' AND ') }),
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
  condition: (grams) => ({ sql: 'text_grams.grams @> ?::integer[]', binding: arrayOf(grams) }),
};

const places = (blocks: readonly unknown[], place: string): string => blocks.map(() => place).join(', ');

/** Each begins with a letter, so that none of them means something in a query. */
const wordsOf = (grams: Iterable<number>): string[] => Array.from(grams, (gram) => `g${gram.toString(RADIX)}`);

export const textGramsOf = (database: Database): TextGrams => (dialectOf(database) === 'postgres' ? arrays : words);

const arrayOf = (grams: Iterable<number>): string => `{${[...grams].join(',')}}`;

async function remove(database: Database, blocks: readonly number[]): Promise<void> {
  await database('text_grams')
    .whereIn('rowid', [...blocks])
    .delete();
}
