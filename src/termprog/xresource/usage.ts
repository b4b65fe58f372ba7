import type { ProgramOption } from '../../../schemas/termprog/program-options.ts';
import type { XResourceOption, XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { VERSION } from '../../kernel/version.ts';

/** Column where the explanations start, and width of the short usage. */
const TEXT_COLUMN = 34;
const USAGE_COLUMNS = 79;

const WITHOUT_EFFECT = ' (no effect in this version)';

/** The short text after a bad option. */
export function formatUsage(rows: readonly XResourceRow[], options: readonly ProgramOption[]): string {
  const spellings = [...rows.flatMap((row) => (row.options ?? []).map(spellingOf)), ...options.map(spellingOfProgram)];
  const lines = ['usage:  termprog'];
  for (const spelling of spellings.map((text) => `[${text}]`)) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + spelling.length > USAGE_COLUMNS) lines.push(`    ${spelling}`);
    else lines[lines.length - 1] = `${line} ${spelling}`;
  }
  return [...lines, '', 'Type termprog -help for a full description.'].join('\n');
}

/** The text of `-help`. @spec termprog#command-line-options */
export function formatHelp(rows: readonly XResourceRow[], options: readonly ProgramOption[]): string {
  return [
    `termprog ${VERSION} usage:`,
    '    termprog [toolkit options] [options] [-e command [argument ...]]',
    '',
    'An option may be shortened to a prefix that no other option has. Options are:',
    ...rows.flatMap((row) => (row.options ?? []).map((option) => helpLine(spellingOf(option), effectOf(row, option)))),
    ...options.map((option) => helpLine(spellingOfProgram(option), option.doc + pendingNote(option))),
    '',
    'Exit status: 0 after a normal end, 1 for a bad option or when no window can be opened.',
  ].join('\n');
}

function pendingNote({ pending }: ProgramOption): string {
  return pending === true ? ' (not in this version)' : '';
}

function helpLine(spelling: string, text: string): string {
  const head = `    ${spelling}`;
  // Two blanks: one would look like a part of the option.
  return head.length + 2 <= TEXT_COLUMN
    ? head.padEnd(TEXT_COLUMN) + text
    : `${head}\n${' '.repeat(TEXT_COLUMN)}${text}`;
}

function spellingOf(option: XResourceOption): string {
  if (option.kind === 'sticky') return option.prefix + option.metavar;
  if (option.kind === 'value') return option.names.map((name) => `-${name} ${option.metavar}`).join(' | ');
  return option.names.map((name) => (option.plus === undefined ? `-${name}` : `-/+${name}`)).join(' | ');
}

function spellingOfProgram(option: ProgramOption): string {
  return option.names.map((name) => (option.metavar === undefined ? name : `${name} ${option.metavar}`)).join(' | ');
}

function effectOf(row: XResourceRow, option: XResourceOption): string {
  const path = row.scope === 'vt100' ? `vt100.${row.name}` : row.name;
  const pending = row.pending === undefined ? '' : WITHOUT_EFFECT;
  if (option.kind !== 'toggle') return `sets ${path}${pending}`;
  const { minus, plus } = option;
  return plus === undefined ? `sets ${path} to ${minus}${pending}` : `sets ${path} to ${minus} / ${plus}${pending}`;
}
