import { readFileSync } from 'node:fs';

/** A row of a table of the specification, or an entry of its menus. */
export interface PageRow {
  /** Id that is made from the row's first cell. */
  id: string;
  /** Heading under which it stands, as `@spec` tags name it. */
  spec: string;
}

const PAGE = 'docs/specification/termprog.md';

/** Heading -> the part of the id that names the subject of a row. A table under another heading fails the reading. */
const kinds: Readonly<Record<string, string>> = {
  'Terminal widget resources (`term.vt100.`)': 'resource',
  'Application resources (`term.` or `Term.`)': 'resource',
  'Toolkit resources': 'resource',
  'States and transitions': 'state',
  'Command-line options': 'option',
  'Actions (usable in a translations resource of the vt100 widget)': 'action',
  'Default translations': 'translation',
  Limits: 'limit',
};

/** Paragraph -> the part of the id for its menu. */
const menus: readonly (readonly [start: string, menu: string])[] = [
  ['Main Options: ', 'main'],
  ['VT Options: ', 'vt'],
  ['VT Fonts: ', 'font'],
];

/** Tables with this first heading list default values, each of which has two cells. */
const PALETTE = 'entry';

/** Every row, in the page's order. @throws Error for a table that is not known, and for two rows of one id */
export function readPageRows(): PageRow[] {
  const rows: PageRow[] = [];
  let heading = '';
  let tableHead: string[] | undefined;
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const isInTable = line.startsWith('|');
    const ids = isInTable && tableHead !== undefined ? tableIds(line, tableHead, heading) : menuIds(line);
    rows.push(...ids.map((id) => ({ id, spec: `termprog#${anchorOf(heading)}` })));
    tableHead = isInTable ? (tableHead ?? cellsOf(line)) : undefined;
  }
  const twice = rows.filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index);
  if (twice.length > 0) throw new Error(`${PAGE}: several rows are ${twice.map(({ id }) => id).join(', ')}`);
  return rows;
}

function tableIds(line: string, head: readonly string[], heading: string): string[] {
  if (line.startsWith('|---')) return [];
  const [first = '', second = '', third = ''] = cellsOf(line);
  if (head[0] === PALETTE) return [first, third].map((entry) => `termprog.palette.${slugOf(entry)}`);
  const kind = kinds[heading];
  if (kind === undefined) throw new Error(`${PAGE}: the table under "${heading}" has no kind of requirement`);
  return [`termprog.${kind}.${slugOf(nameIn(kind, first, second))}`];
}

/** Identifies a row in its table: the first of its names, or all of its words. */
function nameIn(kind: string, first: string, second: string): string {
  if (kind === 'state') return `${first} ${second}`;
  if (kind === 'translation' || kind === 'limit') return first;
  const [family] = /^`\w+` to `\w+`/.exec(first) ?? [];
  const [, name = first] = /^`(#|[-\w+]+)/.exec(first) ?? [];
  return family ?? name.replace('#', 'number-sign');
}

/** Entries stand between semicolons; those of a list that is marked together are one. */
function menuIds(line: string): string[] {
  const [start = '', menu] = menus.find((candidate) => line.startsWith(candidate[0])) ?? [];
  if (menu === undefined) return [];
  const entries = line.slice(start.length).replace(/\.$/, '').split('; ');
  return entries.map((entry) => `termprog.menu.${menu}.${slugOf(entry.split(/,| \(/)[0] ?? '').toLowerCase()}`);
}

export const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Letters and digits, all else a dash; `~` is "not". */
export function slugOf(text: string): string {
  return text
    .replace(/`(\w+)` to `(\w+)`/, '$1-$2')
    .replaceAll('~', ' not ')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Returns the anchor that renderers of Markdown make of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`()/,.:]/g, '')
    .trim()
    .replace(/ /g, '-');
}
