import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { termprogActions } from '../../schemas/termprog/actions.ts';
import { termprogResources, termprogThemes } from '../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../schemas/termprog/program-options.ts';
import type { XResourceRow } from '../../schemas/termprog/resource-table.ts';
import { createOptionTable } from '../../src/termprog/xresource/option-table.ts';
import { formatHelp } from '../../src/termprog/xresource/usage.ts';
import { cellsOf } from '../conformance/requirements/page-rows.ts';

const PAGE = 'docs/specification/termprog.md';

/** Rows that no table of the page has: those of the toolkit's options, of actions, three of xterm, and ours. decisions 86, 93, 120, 246, 250 */
const BESIDE_THE_TABLES = [
  'translations',
  'selectionTimeout',
  'synchronous',
  'xnlLanguage',
  'allowNotifyOps',
  'alternateScroll',
  'bellIsUrgent',
  'resizeByPixel',
  'notifyCommandTime',
];

/** Actions that the table does not have; decision 130. */
const BESIDE_THE_ACTIONS = ['set-vt-font'];

/** The words of a cell that stand in backquotes. */
const quotedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const PALETTE = 'the reference palette';

const byName = (one: SpecifiedResource, other: SpecifiedResource): number => one.name.localeCompare(other.name);

test('every resource has the place, class, type and default of the specification, and there are no others', () => {
  const specified = [
    ...specifiedUnder('Terminal widget resources (`term.vt100.`)', 'vt100'),
    ...specifiedUnder('Application resources (`term.` or `Term.`)', 'app'),
    ...specifiedUnder('Toolkit resources', 'app'),
  ];
  expect(specified.length).toBeGreaterThan(100);

  const rows = termprogResources.filter(({ name }) => !BESIDE_THE_TABLES.includes(name));
  const names = specified.map(({ name }) => name);
  const unknown = rows.filter(({ name }) => !names.includes(name));
  expect(
    unknown.map(
      ({ name }) =>
        `The resource "${name}" is in no table of ${PAGE}. If it goes beyond the specification, record it in a decision and add it to BESIDE_THE_TABLES in this file.`,
    ),
  ).toEqual([]);
  expect(rows.map(described).toSorted(byName)).toEqual(specified.toSorted(byName));
});

test('the options are those of the specification, with the values it names, and so are those that -help shows', () => {
  const specified = tableUnder('Command-line options').flatMap(([first = '']) => quotedIn(first));
  const { spellings } = createOptionTable(termprogResources, termprogProgramOptions);
  const known = [...spellings].map(([spelling, effect]) => {
    const metavar = effect.kind === 'program' ? effect.option.metavar : effect.kind === 'setWord' && effect.metavar;
    return metavar ? `${spelling} ${metavar}` : spelling;
  });
  const glued = termprogResources.flatMap(({ options = [] }) =>
    options.flatMap((option) => (option.kind === 'sticky' ? [option.prefix + option.metavar] : [])),
  );
  const shown = formatHelp(termprogThemes, termprogProgramOptions)
    .split('\n')
    .flatMap((line) => /^ {4}([-#].*?)(?: {2}|$)/.exec(line)?.[1]?.split(' | ') ?? [])
    .flatMap((form) => (form.startsWith('-/+') ? [form.replace('/+', ''), form.replace('-/', '')] : [form]));

  expect([...known, ...glued].toSorted()).toEqual(specified.toSorted());
  expect(shown.toSorted()).toEqual(specified.toSorted());
});

test('the manual has the actions of the specification', () => {
  const specified = tableUnder('Actions (usable in a translations resource of the vt100 widget)').flatMap(
    ([first = '']) => quotedIn(first).map((form) => form.replace(/\(.*/, '')),
  );

  const names: readonly string[] = termprogActions.map(({ name }) => name);
  const unknown = names.filter((name) => !specified.includes(name) && !BESIDE_THE_ACTIONS.includes(name));
  const problems = [
    ...unknown.map(
      (name) =>
        `The action "${name}" is not in the table of actions in ${PAGE}. If it goes beyond the specification, record it in a decision and add it to BESIDE_THE_ACTIONS in this file.`,
    ),
    ...specified
      .filter((name) => !names.includes(name))
      .map((name) => `The action "${name}" of ${PAGE} has no words in schemas/termprog/actions.ts.`),
  ];
  expect(problems).toEqual([]);
  expect(names.filter((name) => specified.includes(name))).toEqual(specified);
});

/** The rows of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const page = readFileSync(PAGE, 'utf8');
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  return table.trimEnd().split('\n').slice(2).map(cellsOf);
}

/** Returns the default that a cell names; undefined for an unset one. */
function defaultIn(cell: string): string | undefined {
  if (cell === 'unset' || cell === 'program name') return undefined;
  return cell === 'empty' ? '' : (quotedIn(cell)[0] ?? cell);
}

/** The resources of a table, those of a numbered family one by one. */
function specifiedUnder(heading: string, scope: string): SpecifiedResource[] {
  return tableUnder(heading).flatMap(([first = '', type = '', defaults = '']) => {
    const [name = '', second = '', third] = quotedIn(first);
    if (third === undefined) return [{ scope, name, class: second, type, default: defaultIn(defaults) }];
    const [, stem = '', low = ''] = /^(\D+)(\d+)$/.exec(name) ?? [];
    const [high = ''] = /\d+$/.exec(second) ?? [];
    return Array.from({ length: Number(high) - Number(low) + 1 }, (_, index) => ({
      scope,
      name: `${stem}${Number(low) + index}`,
      class: third.replace(/N$/, `${Number(low) + index}`),
      type,
      default: quotedIn(defaults)[index] ?? defaultIn(defaults),
    }));
  });
}

interface SpecifiedResource {
  scope: string;
  name: string;
  class: string;
  type: string;
  default: string | undefined;
}

/** Returns the description of a row, in the words of the page. */
function described({ scope, name, class: className, type, default: value }: XResourceRow): SpecifiedResource {
  return {
    scope,
    name,
    class: className,
    // A geometry is a text of one form.
    type: type === 'geometry' ? 'string' : type,
    default: /^color\d+$/.test(name) ? PALETTE : value,
  };
}
