import type { XResourceRow } from '../../schemas/termprog/resource-table.ts';

/** Columns a comment of the file is broken at. */
const LINE_WIDTH = 100;

const HEADER = `! Class defaults of termprog: every resource with the program's own default, none of them set here.
! Take the "!" off a line to change the default of all users. What a user sets (~/.Xresources, -xrm, options) wins.
! A backslash in a value: \\n is a line break, \\ooo the byte of an octal number, \\\\ a backslash, "\\ " a blank at the beginning.
! Written by \`npm run generate\` from schemas/termprog. Changes made here are lost.
`;

/** The app-defaults file `Term` as it is shipped. @spec termprog#what-the-service-does */
export function appDefaultsFile(rows: readonly XResourceRow[]): string {
  return `${HEADER}${rows.map((row) => `\n${entry(row)}`).join('')}`;
}

function entry(row: XResourceRow): string {
  const comment = wrapped(row.doc).map((line) => `! ${line}\n`);
  const value = row.default === undefined || row.default === '' ? '' : ` ${row.default}`;
  return `${comment.join('')}!${resourceName(row)}:${value}\n`;
}

/** Name of a row in class defaults: loose and by class, so that any name a user writes is more specific. */
function resourceName(row: Pick<XResourceRow, 'scope' | 'name'>): string {
  return row.scope === 'vt100' ? `*VT100.${row.name}` : `*${row.name}`;
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
