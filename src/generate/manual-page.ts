import { termprogActions } from '../../schemas/termprog/actions.ts';
import { termprogThemes } from '../../schemas/termprog/index.ts';
import { type MenuText, termprogMenus } from '../../schemas/termprog/menus.ts';
import { type ProgramOption, termprogProgramOptions } from '../../schemas/termprog/program-options.ts';
import type { XResourceOption, XResourceRow } from '../../schemas/termprog/resource-table.ts';
import { DEFAULT_TRANSLATIONS } from '../termprog/translations/default-translations.ts';
import { type Item, list, literal, paragraphs } from './manual-lists.ts';
import {
  DESCRIPTION,
  ENVIRONMENT,
  EXAMPLES,
  EXIT_STATUS,
  FILES,
  PAGE_DATE,
  SEE_ALSO,
  SELECTIONS,
} from './manual-sections.ts';
import { manualArgument, manualText, manualWord } from './manual-text.ts';

/** The manual page `termprog.1` in mdoc(7). */
export function manualPage(): string {
  const lines = [
    '.\\" Written by `npm run generate` from schemas/termprog. Changes made here are lost.',
    `.Dd ${PAGE_DATE}`,
    '.Dt TERMPROG 1',
    '.Os',
    '.Sh NAME',
    '.Nm termprog',
    '.Nd terminal emulator for the X Window System',
    '.Sh SYNOPSIS',
    '.Nm',
    '.Op Ar toolkit options',
    '.Op Ar options',
    '.Op Fl e Ar command Op Ar argument ...',
    '.Sh DESCRIPTION',
    ...paragraphs(DESCRIPTION),
    '.Sh OPTIONS',
    ...manualText(
      'An option may be shortened to a prefix that no other option has. Each option that sets a resource counts more than the files that set it.',
    ),
    ...termprogThemes.flatMap(({ title, rows }) => optionsOfTheme(title, rows)),
    '.Ss Program',
    ...list(termprogProgramOptions.map((option) => ({ head: programOption(option), text: sentence(option.doc) }))),
    '.Sh RESOURCES',
    ...manualText(
      'Resources of the text area are written `term.vt100.NAME: VALUE`, those of the program `term.NAME: VALUE`; the class `Term` may stand for `term`, `VT100` for `vt100`, and an asterisk for any levels between. Behind each name stand its class, its type and its default.',
    ),
    ...termprogThemes.flatMap(({ title, rows }) => [`.Ss ${title}`, ...list(withoutRepeats(rows).map(resourceItem))]),
    // Without the zero-width escape the linter takes the name for a misspelt AUTHORS.
    '.Sh ACTIONS\\&',
    ...manualText(
      'Actions are bound to keys and buttons by the resource `vt100.translations`; the example below shows how.',
    ),
    ...list(
      termprogActions.map(({ name, parameters, doc }) => ({
        head: [`.It Ic ${manualArgument(`${name}(${parameters})`)}`],
        text: doc,
      })),
    ),
    '.Sh DEFAULT TRANSLATIONS',
    ...manualText(
      'These bindings hold unless a line of the resource stands before them. A press that no binding takes goes to the application.',
    ),
    ...literal(DEFAULT_TRANSLATIONS.trim().split('\n')),
    '.Sh MENUS',
    ...manualText(
      'Control with button 1, 2 or 3 opens a menu. An entry in parentheses is shown, but is not available. An entry is named in resources as its widget is, for instance in `*mainMenu*quit*Label`.',
    ),
    ...termprogMenus.flatMap(menuPart),
    '.Sh SELECTIONS',
    ...paragraphs(SELECTIONS),
    '.Sh ENVIRONMENT',
    ...list(ENVIRONMENT.map(([name, text]) => ({ head: [`.It Ev ${name}`], text }))),
    '.Sh FILES',
    ...list(FILES.map(([name, text]) => ({ head: [`.It Pa ${manualArgument(name)}`], text }))),
    '.Sh EXIT STATUS',
    ...manualText(EXIT_STATUS),
    '.Sh EXAMPLES',
    ...EXAMPLES.flatMap(({ text, lines: shown }) => [...manualText(text), ...literal(shown)]),
    '.Sh SEE ALSO',
    ...SEE_ALSO.map((page, index) => `.Xr ${page}${index < SEE_ALSO.length - 1 ? ' ,' : ''}`),
  ];
  return `${lines.join('\n')}\n`;
}

function optionsOfTheme(title: string, rows: readonly XResourceRow[]): string[] {
  const items = rows.flatMap((row) => (row.options ?? []).map((option) => optionItem(row, option)));
  return items.length === 0 ? [] : [`.Ss ${title}`, ...list(items)];
}

function optionItem(row: XResourceRow, option: XResourceOption): Item {
  const path = `\`${row.scope === 'vt100' ? 'vt100.' : ''}${row.name}\``;
  const [what = ''] = row.doc.split(/(?<=\.) /);
  if (option.kind === 'sticky') {
    return { head: [`.It Cm ${manualArgument(option.prefix)} Ns Ar ${option.metavar}`], text: `Sets ${path}. ${what}` };
  }
  if (option.kind === 'value') {
    return {
      head: option.names.map((name) => `.It Fl ${name} Ar ${option.metavar}`),
      text: `Sets ${path}. ${what}`,
    };
  }
  const { names, minus, plus, doc = what } = option;
  return {
    head: names.map((name) => `.It Fl ${name}${plus === undefined ? '' : ` | Cm +${name}`}`),
    text: `Sets ${path} to \`${minus}\`${plus === undefined ? '' : ` or \`${plus}\``}. ${doc}`,
  };
}

function programOption({ names, metavar }: ProgramOption): string[] {
  return names.map((name) => `.It Fl ${manualWord(name.slice(1))}${metavar === undefined ? '' : ` Ar ${metavar}`}`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A resource, or a numbered family of resources with the same description. */
interface Described extends XResourceRow {
  last?: string;
}

/** The rows, with one row for a family whose members differ only in their number. */
function withoutRepeats(rows: readonly XResourceRow[]): Described[] {
  const described: Described[] = [];
  const plain = ({ doc, default: value }: XResourceRow): string => `${doc.replace(/\d+/, '')} ${value}`;
  for (const row of rows) {
    const before = described.at(-1);
    const stem = row.name.replace(/\d+$/, '');
    if (before !== undefined && stem !== row.name && before.name === `${stem}1` && plain(before) === plain(row)) {
      before.last = row.name;
    } else described.push({ ...row });
  }
  return described;
}

function resourceItem(row: Described): Item {
  const { name, last, class: className, type, default: value, choices, doc, acceptedOnly } = row;
  const otherwise = value === undefined ? 'unset' : value === '' ? 'empty' : value;
  const kind = choices === undefined ? type : choices.join(', ');
  const note = acceptedOnly === undefined ? '' : ` Accepted for compatibility: ${acceptedOnly}.`;
  return {
    head: [
      `.It Va ${name}${last === undefined ? '' : ` No to Va ${last}`} Pq ${[className, kind, otherwise].map((part) => `${manualArgument(part)}`).join(' ; ')}`,
    ],
    text: doc + note,
  };
}

function menuPart({ name, label, button, groups }: MenuText): string[] {
  const entries = groups.map((group) =>
    group.map((entry) => ('unavailable' in entry ? `(${entry.label})` : entry.label)).join(', '),
  );
  return [
    `.Ss ${label}`,
    ...manualText(`Control with button ${button}, or \`popup-menu(${name})\`.`),
    '.Bl -dash -compact',
    ...entries.flatMap((entry) => ['.It', ...manualText(entry)]),
    '.El',
  ];
}
