import { readFileSync } from 'node:fs';
import { anchorOf, cellsOf, type PageRow } from './page-rows.ts';

/** A row of a table, with what stands above it. */
export interface TableRow {
  /** The heading of the section. */
  section: string;
  /** The headings of the table's columns. */
  head: readonly string[];
  cells: readonly string[];
}

/** Rules for the ids of a page's rows. */
export interface PageRules {
  /** Name of the page without an ending: `agent`. */
  page: string;
  /**
   * Section -> the part of the id that names the subject of its list, entry by entry. A list in another section fails
   * the reading.
   */
  lists: Readonly<Record<string, string>>;
  /** The id of a row without the name of the page; undefined for a table that is not known. */
  nameOf(row: TableRow): string | undefined;
}

const LIST_ENTRY = /^(-|\d+\.) /;

/** Every row of a table and every entry of a list, in the page's order. @throws Error for a table or list that is not known, and for two rows of one id */
export function readTablesAndLists({ page, lists, nameOf }: PageRules): PageRow[] {
  const file = `docs/specification/${page}.md`;
  const rows: PageRow[] = [];
  let section = '';
  let head: string[] | undefined;
  let entries = 0;
  const add = (name: string | undefined, what: string): void => {
    if (name === undefined) throw new Error(`${file}: ${what} under "${section}" has no kind of requirement`);
    rows.push({ id: `${page}.${name}`, spec: `${page}#${anchorOf(section)}` });
  };
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('#')) {
      section = line.replace(/^#+ /, '');
      entries = 0;
    }
    if (LIST_ENTRY.test(line)) {
      entries += 1;
      const list = lists[section];
      add(list && `${list}.${entries}`, 'the list');
    }
    const isInTable = line.startsWith('|');
    if (isInTable && head !== undefined && !line.startsWith('|---')) {
      add(nameOf({ section, head, cells: cellsOf(line) }), `the table of "${head[0]}"`);
    }
    head = isInTable ? (head ?? cellsOf(line)) : undefined;
  }
  const twice = rows.filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index);
  if (twice.length > 0) throw new Error(`${file}: several rows are ${twice.map(({ id }) => id).join(', ')}`);
  return rows;
}
