import type { ResourceTheme } from '../../../schemas/termprog/index.ts';
import type { ProgramOption } from '../../../schemas/termprog/program-options.ts';
import type { XResourceOption, XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { VERSION } from '../../kernel/version.ts';
import { wrappedLines } from '../../kernel/wrapped-lines.ts';

/** Width of a terminal's line, and the columns where an option's effect and its explanation start. */
const COLUMNS = 79;
const EFFECT_COLUMN = 36;
const TEXT_COLUMN = 8;

const WITHOUT_EFFECT = ' (no effect in this version)';

/** Returns the short text after a bad option. */
export function formatUsage(rows: readonly XResourceRow[], options: readonly ProgramOption[]): string {
  const spellings = [...rows.flatMap((row) => (row.options ?? []).map(spellingOf)), ...options.map(spellingOfProgram)];
  const lines = ['usage:  termprog'];
  for (const spelling of spellings.map((text) => `[${text}]`)) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + spelling.length > COLUMNS) lines.push(`    ${spelling}`);
    else lines[lines.length - 1] = `${line} ${spelling}`;
  }
  return [...lines, '', 'Type termprog -help for a full description.'].join('\n');
}

/**
 * Returns the text of `-help`: options by theme, each with its resource and the default.
 * @spec termprog#command-line-options
 */
export function formatHelp(themes: readonly ResourceTheme[], options: readonly ProgramOption[]): string {
  return [
    `termprog ${VERSION} usage:`,
    '    termprog [toolkit options] [options] [-e command [argument ...]]',
    '',
    ...wrappedLines(
      'An option may be shortened to a prefix that no other option has. Most options set an X resource, which is named behind them with its default; -/+ stands for two options, of which the first says true and the second false unless it is told otherwise. Resources without an option are set by -xrm, or in ~/.Xresources: see termprog(1).',
      COLUMNS,
    ),
    ...themes.flatMap(helpOfTheme),
    '',
    'Program:',
    ...options.flatMap((option) => [...helpLines(spellingOfProgram(option), option.doc)]),
    '',
    'Exit status: 0 after a normal end, 1 for a bad option or when no window can be',
    'opened.',
  ].join('\n');
}

function helpOfTheme({ title, rows }: ResourceTheme): string[] {
  const lines = rows.flatMap((row) =>
    (row.options ?? []).flatMap((option, index) => [
      ...helpLines(spellingOf(option), effectOf(row, option)),
      // An option with its own text shows it; the row's text is shown once, after the last of the row's other options.
      ...(ownDoc(option) === undefined ? [] : explanation({ ...row, doc: ownDoc(option) ?? '' })),
      ...(index === lastPlain(row.options) ? explanation(row) : []),
    ]),
  );
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function ownDoc(option: XResourceOption): string | undefined {
  return option.kind === 'toggle' ? option.doc : undefined;
}

/** Returns the index of the last option without its own text; -1 when each has one. */
function lastPlain(options: readonly XResourceOption[] = []): number {
  return options.findLastIndex((option) => ownDoc(option) === undefined);
}

function explanation({ doc, acceptedOnly }: XResourceRow): string[] {
  const [first = ''] = doc.split(/(?<=\.) /);
  const note = acceptedOnly === undefined ? '' : WITHOUT_EFFECT;
  return indented(first + note, TEXT_COLUMN);
}

function helpLines(spelling: string, text: string): string[] {
  const head = `    ${spelling}`;
  const [first = '', ...others] = indented(text, EFFECT_COLUMN);
  // Two blanks: a single one would look like a part of the option.
  return head.length + 2 <= EFFECT_COLUMN ? [head + first.slice(head.length), ...others] : [head, first, ...others];
}

function indented(text: string, column: number): string[] {
  return wrappedLines(text, COLUMNS - column).map((line) => ' '.repeat(column) + line);
}

function spellingOf(option: XResourceOption): string {
  if (option.kind === 'sticky') return option.prefix + option.metavar;
  if (option.kind === 'value') return option.names.map((name) => `-${name} ${option.metavar}`).join(' | ');
  return option.names.map((name) => (option.plus === undefined ? `-${name}` : `-/+${name}`)).join(' | ');
}

function spellingOfProgram(option: ProgramOption): string {
  return option.names.map((name) => (option.metavar === undefined ? name : `${name} ${option.metavar}`)).join(' | ');
}

/** Returns an option's resource, and the value without the option. */
function effectOf(row: XResourceRow, option: XResourceOption): string {
  const path = row.scope === 'vt100' ? `vt100.${row.name}` : row.name;
  const otherwise = row.default === undefined ? 'unset' : row.default === '' ? 'empty' : `default ${row.default}`;
  return `${path}${writtenBy(option)}, ${otherwise}`;
}

/** Returns the values that a toggle writes, unless they are the usual ones. */
function writtenBy(option: XResourceOption): string {
  if (option.kind !== 'toggle') return '';
  const { minus, plus } = option;
  if (plus === undefined) return `: ${minus}`;
  return minus === 'true' && plus === 'false' ? '' : `: ${minus} / ${plus}`;
}
