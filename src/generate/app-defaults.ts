import type { MenuText } from '../../schemas/termprog/menus.ts';
import type { XResourceRow } from '../../schemas/termprog/resource-table.ts';
import { wrappedLines } from '../kernel/wrapped-lines.ts';

/** Columns at which comments of the file are wrapped. */
const LINE_WIDTH = 100;

const HEADER = `! Class defaults of termprog: the labels of its menus, and every resource with the program's own default, none of them set
! here.
! Take the "!" off a line to change the default of all users. What a user sets (~/.Xresources, -xrm, options) wins.
! A backslash in a value: \\n is a line break, \\ooo the byte of an octal number, \\\\ a backslash, "\\ " a blank at the beginning.
! Written by \`npm run generate\` from schemas/termprog. Changes made here are lost.
`;

/** The app-defaults file `Term` as it is shipped. @spec termprog#what-the-service-does */
export function appDefaultsFile(rows: readonly XResourceRow[], menus: readonly MenuText[]): string {
  return `${HEADER}\n${menus.map(menuLabels).join('\n')}${rows.map((row) => `\n${entry(row)}`).join('')}`;
}

/** The lines of a menu, as the class defaults of the reference terminal have them. */
function menuLabels({ name, label, groups }: MenuText): string {
  const entries = groups.flat().map((each) => `*${name}*${each.name}*Label: ${each.label}\n`);
  return `*${name}.Label: ${label}\n${entries.join('')}`;
}

function entry(row: XResourceRow): string {
  const comment = wrappedLines(row.doc, LINE_WIDTH).map((line) => `! ${line}\n`);
  const value = row.default === undefined || row.default === '' ? '' : ` ${row.default}`;
  return `${comment.join('')}!${resourceName(row)}:${value}\n`;
}

/** Name of a row in class defaults: loose and by class, so that any name a user writes is more specific. */
function resourceName(row: Pick<XResourceRow, 'scope' | 'name'>): string {
  return row.scope === 'vt100' ? `*VT100.${row.name}` : `*${row.name}`;
}
