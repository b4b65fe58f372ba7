import type { Knex } from 'knex';
import type { Seal } from '../../ports/seal.ts';
import { dialectOf } from '../dialect.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { BrokenValue, type Row, type SteppedTable, type Sum, Summing, stepped, stepsOf } from './rows.ts';
import { INTEGER_MAX, type Table } from './tables.ts';

/** Result of reading everything that is to move. */
export interface Survey {
  tables: SteppedTable[];
  sums: Map<string, Sum>;
  /** Problems that prevent the move, one line each. */
  problems: string[];
  /** Encrypted texts that the keys do and do not open, by table. */
  sealed: Map<string, { opened: number; unopened: number }>;
}

export interface SurveyParts {
  seal: Seal;
  /** Called with the number of all rows before the first is read, and with each step's number of rows. */
  counted(rows: number): void;
  seen(table: string, rows: number): void;
}

/** Reads everything once, without changing it. */
export async function surveyOf(source: Knex, tables: readonly Table[], parts: SurveyParts): Promise<Survey> {
  const survey: Survey = { tables: [], sums: new Map(), problems: [], sealed: new Map() };
  if (dialectOf(source) === 'sqlite') survey.problems.push(...(await problemsOfFile(source, tables)));
  // A damaged file may return anything when it is read.
  if (survey.problems.length > 0) return survey;
  let all = 0;
  for (const table of tables) {
    const { rows, longest, problems } = await overviewOf(source, table);
    all += rows;
    survey.problems.push(...problems);
    survey.tables.push(stepped(table, longest));
  }
  if (survey.problems.length > 0) return survey;
  parts.counted(all);
  for (const table of survey.tables) await readAll(source, table, parts, survey);
  return survey;
}

async function problemsOfFile(source: Knex, tables: readonly Table[]): Promise<string[]> {
  const checked: { integrity_check: string }[] = await source.raw('PRAGMA integrity_check(1)');
  const [damage] = checked.filter(({ integrity_check: text }) => text !== 'ok');
  if (damage !== undefined) return [`the file is damaged (${damage.integrity_check}): restore it from a backup`];
  const orphans: { table: string; parent: string }[] = await source.raw('PRAGMA foreign_key_check');
  const [orphan] = orphans;
  if (orphan === undefined) return problemsOfNumbers(source, tables);
  return [
    `table ${orphan.table}: expected each row to have its row in ${orphan.parent}, received ${orphans.length} without`,
  ];
}

/**
 * Finds wrong row numbers: SQLite keeps the greatest number of each table in an ordinary table, which may hold any
 * value.
 */
async function problemsOfNumbers(source: Knex, tables: readonly Table[]): Promise<string[]> {
  const max = INTEGER_MAX.bigint;
  const wrong: string[] = await source('sqlite_sequence')
    .whereRaw("(typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ?)", [max])
    .whereIn(
      'name',
      tables.map(({ name }) => name),
    )
    .pluck('name');
  return wrong.map((name) => `table sqlite_sequence, name ${name}: expected an integer from 0 to ${max}`);
}

interface Rule {
  columns: readonly string[];
  /** SQL that is true for a value that can't be moved; it names each of the columns once, in order. */
  isWrong: string;
  expected: string;
  /** SQL for the fault of a value, if that is not its type; it names each of the columns once, in order. */
  received?: string;
}

/**
 * Bytes of a row's texts that an index of PostgreSQL always accepts. It accepts 2,704 bytes with its own parts, which
 * take up to eight for each column. Compressible texts may be longer, which is not known in advance.
 */
const INDEXED_MAX_BYTES = 2_600;

/** Returns rules for values that an index or primary key of PostgreSQL would refuse, and SQLite accepts. */
function rulesOfIndexes({ keys, indexes }: Table): Rule[] {
  const lengths = (columns: readonly string[]): string =>
    columns.map(() => 'ifnull(length(CAST(?? AS BLOB)), 0)').join(' + ');
  return [
    ...keys.map((key) => ({
      columns: [key],
      isWrong: '?? IS NULL',
      expected: 'a value, because it is a part of the primary key',
    })),
    ...indexes.map((columns) => ({
      columns,
      isWrong: `${lengths(columns)} > ${INDEXED_MAX_BYTES}`,
      expected: `at most ${INDEXED_MAX_BYTES} bytes${columns.length > 1 ? ' together' : ''}, because PostgreSQL has them in an index`,
      received: `(${lengths(columns)}) || ' bytes'`,
    })),
  ];
}

const rulesOf = (table: Table, isFile: boolean): Rule[] => [
  ...rulesOfValues(table, isFile),
  ...(isFile ? rulesOfIndexes(table) : []),
];

/** Returns rules for types. PostgreSQL checks types itself; SQLite accepts any value in any column. */
function rulesOfValues({ columns }: Table, isFile: boolean): Rule[] {
  return columns.flatMap(({ name, type }): Rule[] => {
    const column = { columns: [name] };
    if (type === 'text') {
      if (!isFile) return [];
      return [
        { ...column, isWrong: "typeof(??) NOT IN ('text', 'null')", expected: 'a text' },
        { ...column, isWrong: "instr(CAST(?? AS BLOB), x'00') > 0", expected: 'a text without NUL' },
      ];
    }
    const max = INTEGER_MAX[type];
    const range: Rule = {
      ...column,
      isWrong: `?? NOT BETWEEN -${max} AND ${max}`,
      expected: `an integer of at most ${max}`,
    };
    if (!isFile) return [range];
    return [{ ...column, isWrong: "typeof(??) NOT IN ('integer', 'null')", expected: 'an integer' }, range];
  });
}

interface Overview {
  rows: number;
  /** Bytes of the texts of the longest row. */
  longest: number;
  /**
   * Values that the other database can't store, or that the program could not read there. Values are not shown: they
   * may be secret.
   */
  problems: string[];
}

async function overviewOf(source: Knex, table: Table): Promise<Overview> {
  const isFile = dialectOf(source) === 'sqlite';
  const rules = rulesOf(table, isFile);
  const texts = table.columns.filter(({ type }) => type === 'text').map(({ name }) => name);
  const lengths = texts.map(() => (isFile ? 'ifnull(length(CAST(?? AS BLOB)), 0)' : 'coalesce(octet_length(??), 0)'));
  const [found]: Record<string, number | null>[] = await source(table.name).select([
    source.raw('count(*) AS rows_in_all'),
    source.raw(`max(${['0', ...lengths].join(' + ')}) AS longest_row`, texts),
    ...rules.map(({ columns, isWrong }, index) =>
      source.raw(`sum(CASE WHEN ${isWrong} THEN 1 ELSE 0 END) AS ??`, [...columns, `rule_${index}`]),
    ),
  ]);
  const problems: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const count = Number(found?.[`rule_${index}`] ?? 0);
    if (count > 0) problems.push(await problemOf(source, table, rule, count));
  }
  return { rows: Number(found?.['rows_in_all'] ?? 0), longest: Number(found?.['longest_row'] ?? 0), problems };
}

async function problemOf(source: Knex, table: Table, rule: Rule, count: number): Promise<string> {
  const { columns, isWrong, expected, received } = rule;
  const isFile = dialectOf(source) === 'sqlite';
  const number = isFile ? '_rowid_' : table.numbered;
  const query = source(table.name)
    .whereRaw(isWrong, [...columns])
    .orderBy(number === undefined ? [...table.keys] : [number])
    .limit(1)
    .select(source.raw(`${received ?? (isFile ? 'typeof(??)' : 'pg_typeof(??)::text')} AS found`, [...columns]));
  if (number !== undefined) query.select(source.raw('?? AS rowid_of_row', [number]));
  const [first]: { rowid_of_row?: number; found: string }[] = await query;
  const where = first?.rowid_of_row === undefined ? '' : `, rowid ${first.rowid_of_row}`;
  const more = count > 1 ? ` (so in ${count} rows)` : '';
  const names = `column${columns.length > 1 ? 's' : ''} ${columns.join(', ')}`;
  const wrong = received === undefined ? receivedOf(first?.found, expected) : first?.found;
  return `table ${table.name}, ${names}${where}: a value would be lost: expected ${expected}, received ${wrong}${more}`;
}

function receivedOf(type: string | undefined, expected: string): string {
  if (type === 'text' && expected.endsWith('NUL')) return 'one with it';
  if ((type === 'integer' || type === 'bigint') && expected !== 'a text') return 'a greater one';
  if (type === 'null') return 'none';
  return type === 'blob' ? 'a BLOB' : `a value of type ${type}`;
}

async function readAll(source: Knex, table: SteppedTable, { seal, seen }: SurveyParts, survey: Survey): Promise<void> {
  const summing = new Summing();
  const isOpened = openingOf(table, seal);
  const sealed = { opened: 0, unopened: 0 };
  try {
    for await (const rows of stepsOf(source, table)) {
      for (const row of rows) {
        summing.add(row);
        const opened = isOpened?.(row);
        if (opened !== undefined) sealed[opened ? 'opened' : 'unopened'] += 1;
      }
      seen(table.name, rows.length);
    }
  } catch (error) {
    if (!(error instanceof BrokenValue)) throw error;
    survey.problems.push(error.message);
  }
  survey.sums.set(table.name, summing.sum);
  if (isOpened !== undefined) survey.sealed.set(table.name, sealed);
}

/** Returns a test for whether the keys open a row's encrypted text; undefined for a table or a row without one. */
function openingOf({ name, columns }: Table, seal: Seal): ((row: Row) => boolean | undefined) | undefined {
  const sealed = SEALED_COLUMNS.find(({ table }) => table === name);
  if (sealed === undefined) return undefined;
  return (row) => {
    const values = Object.fromEntries(columns.map((column, index) => [column.name, String(row[index] ?? '')]));
    const text = values[sealed.column] ?? '';
    if (text === '') return undefined;
    const place = sealed.placeOf(values);
    if (sealed.isOpened !== undefined) return sealed.isOpened(seal, text, place);
    try {
      seal.open(text, place);
      return true;
    } catch {
      // None of the keys opens it.
      return false;
    }
  };
}
