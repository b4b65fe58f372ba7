import fc from 'fast-check';
import { expect } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../schemas/termprog/program-options.ts';
import { BadOptionError } from '../../../src/termprog/errors.ts';
import { parseCommandLine } from '../../../src/termprog/xresource/command-line.ts';
import { encodeBytes } from '../../../src/termprog/xresource/decode-bytes.ts';
import { type Geometry, type Offset, parseGeometry } from '../../../src/termprog/xresource/geometry.ts';
import { createOptionTable, type OptionEffect } from '../../../src/termprog/xresource/option-table.ts';
import { ResourceDatabase } from '../../../src/termprog/xresource/resource-database.ts';
import { parseResourceLine, parseResources } from '../../../src/termprog/xresource/resource-syntax.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { needs } from '../../harness/needs.ts';
import { askLibraries, type Command, getCommand, PART } from '../../harness/x-resources/oracle.ts';

/** `npm test` tries a fifth of them. */
const DATABASES = fuzzRuns(6_000);
const GEOMETRIES = fuzzRuns(10_000);
const COMMAND_LINES = fuzzRuns(5_000);

const test = needs('headers of libXt');

const component = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('term', 'Term', 'vt100', 'VT100', 'font', 'Font', 'menu', 'Menu', '?') },
  { weight: 1, arbitrary: fc.constantFrom('other', '??', 'a b', 'é', 'colou\\r', '"', '!x', '#x', '\x01') },
);
const binding = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('.', '*') },
  { weight: 1, arbitrary: fc.constantFrom('..', '.*', '*.', '**', ' .', '* ', '.\t', ' * ') },
);
/**
 * Menus are bound loosely. Where a name is bound tightly twice, once with one component behind it and once with more,
 * libX11 also finds the first below other levels, against its own rules: the macro GLOOSE does not look at the binding.
 * It does so for names that have two more levels behind them, which here only menus have.
 */
const specifier = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, binding),
    fc.array(fc.tuple(binding, component), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, parts]) =>
    parts.map(([before, name], place) => (/^menu$/i.test(name) ? '*' : place === 0 ? first : before) + name).join(''),
  );
const value = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'fixed', '1', ' ', '\t') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '\\n',
          '\\\\',
          '\\\n',
          '\\040',
          '\\12',
          '\\0',
          '\\q',
          '\\ ',
          ':',
          '!',
          '#',
          'é',
          '\r',
        ),
      },
    ),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const line = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.constantFrom('', '', '', ' ', '\t '), specifier, fc.constantFrom('', '', ' '), value)
      .map(([indent, name, blank, text]) => `${indent}${name}${blank}:${text}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '! comment \\',
      '!*font: no',
      '# comment \\',
      'no colon \\',
      ':',
      '*:',
      'term.: x',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'tT.*?:!# \t\\n0é'), maxLength: 12 }) },
);
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.constantFrom('\n', '\n', '\n', '', '\\'))
  .map(([lines, end]) => encodeBytes(lines.join('\n') + end));

/** Paths that are looked up: the program's own, and others of each depth. */
const PATHS: readonly (readonly [names: readonly string[], classes: readonly string[]])[] = [
  [
    ['term', 'vt100', 'font'],
    ['Term', 'VT100', 'Font'],
  ],
  [
    ['term', 'font'],
    ['Term', 'Font'],
  ],
  [['font'], ['Font']],
  [
    ['term', 'menu', 'vt100', 'font'],
    ['Term', 'Menu', 'VT100', 'Font'],
  ],
  [
    ['term', 'menu', 'menu', 'vt100', 'font'],
    ['Term', 'Menu', 'Menu', 'VT100', 'Font'],
  ],
  [
    ['term', 'a b', 'font'],
    ['Term', 'é', 'Font'],
  ],
];

const bytesOf = (answer: string | undefined): string | undefined =>
  answer === undefined ? undefined : encodeBytes(answer);

test('every random database of texts and lines answers as libX11 does', () => {
  const cases = fc.sample(
    fc.record({ lines: fc.array(line, { maxLength: 2 }), texts: fc.array(text, { minLength: 1, maxLength: 3 }) }),
    DATABASES,
  );
  const commands = cases.flatMap(({ lines, texts }): Command[] => [
    ['reset', ''],
    ...lines.map((each): Command => ['line', encodeBytes(each)]),
    ...texts.map((each): Command => ['text', each]),
    ...PATHS.map(([names, classes]) => getCommand(names.map(encodeBytes), classes.map(encodeBytes))),
  ]);

  const theirs = askLibraries(commands);

  const ours = cases.flatMap(({ lines, texts }) => {
    const database = new ResourceDatabase();
    for (const each of lines) for (const entry of parseResourceLine(encodeBytes(each))) database.put(entry, '');
    for (const each of texts) database.putBelow(parseResources(each), '');
    return PATHS.map(([names, classes]) => bytesOf(database.lookup({ names, classes })?.value));
  });
  const found = theirs.filter((answer) => answer !== undefined);
  // A comparison of empty results would prove too little.
  expect(found.length).toBeGreaterThan(theirs.length / 4);
  const differing = cases
    .map((each, index) => ({
      ...each,
      theirs: theirs.slice(index * PATHS.length, (index + 1) * PATHS.length),
      ours: ours.slice(index * PATHS.length, (index + 1) * PATHS.length),
    }))
    .filter((each) => JSON.stringify(each.ours) !== JSON.stringify(each.theirs));
  expect(differing.slice(0, 3)).toEqual([]);
  expect(ours).toHaveLength(theirs.length);
});

test('every random geometry is read as libX11 reads it', () => {
  const part = fc.oneof(
    fc.constantFrom('', '=', 'x', 'X', '+', '-', '0', '80', '24', '+5', '-5', '+-3', '--7', '100x30', ' ', 'q'),
    fc.integer({ min: 0, max: 40_000 }).map(String),
  );
  const geometries = fc.sample(
    fc.array(part, { maxLength: 7 }).map((parts) => parts.join('')),
    GEOMETRIES,
  );

  const theirs = askLibraries(geometries.map((each): Command => ['geometry', each]));

  const differing = geometries.flatMap((given, index) => {
    const wanted = geometryOf(theirs[index] ?? '');
    // Only these values differ in ours: blanks around it are left out, a negative size is refused, and large numbers
    // stay large.
    if (given !== given.trim() || (wanted?.height ?? 0) > INT_MAX || /\d{10}/.test(given)) return [];
    const ours = parseGeometry(given);
    return JSON.stringify(ours) === JSON.stringify(wanted) ? [] : [{ given, ours, wanted }];
  });
  expect(theirs.filter((answer) => answer?.startsWith('0 ')).length).toBeLessThan(theirs.length * 0.9);
  expect(differing.slice(0, 5)).toEqual([]);
});

test('every random command line is read as libX11 reads it', () => {
  const table = createOptionTable(termprogResources, termprogProgramOptions);
  // The program itself takes options with two dashes, and what follows -e.
  const spellings = [...table.spellings].filter(([spelling]) => !spelling.startsWith('--') && spelling !== '-e');
  const options = spellings.map(([spelling, effect]): Command => ['option', optionOf(spelling, effect)]);
  for (const { prefix, row } of table.sticky)
    options.push(['option', [prefix, `.${row.name}`, 'sticky', ''].join(PART)]);
  const argument = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...spellings.map(([spelling]) => spelling)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...spellings.map(([spelling]) => spelling)), fc.integer({ min: 2, max: 8 }))
        .map(([spelling, length]) => spelling.slice(0, length)),
    },
    { weight: 1, arbitrary: fc.constantFrom('value', '#+1-2', '-zz', '+fn', '*title: x') },
  );
  const lines = fc.sample(fc.array(argument, { minLength: 1, maxLength: 4 }), COMMAND_LINES);
  const resources = ['title', 'font', 'reverseVideo', 'saveLines', 'hold', 'iconGeometry', 'logLevel'];
  const commands = lines.flatMap((each): Command[] => [
    ['reset', ''],
    ['arguments', each.join(PART)],
    ...resources.map((name) => getCommand(['term', name], ['Term', name])),
  ]);

  const theirs = askLibraries([...options, ...commands]);

  const size = 1 + resources.length;
  const differing = lines.flatMap((argv, index) => {
    const [left, ...values] = theirs.slice(index * size, (index + 1) * size);
    const ours = readOptions(argv);
    // Arguments that libX11 leaves are refused by the program; libX11 goes on behind them, and we don't.
    const same =
      ours === undefined
        ? left !== ''
        : left === '' && resources.every((name, place) => values[place] === ours.get(name));
    return same ? [] : [{ argv, left, values, ours }];
  });
  expect(differing.slice(0, 5)).toEqual([]);

  /** The value that the arguments give to each resource; undefined when they are refused. */
  function readOptions(argv: readonly string[]): Map<string, string> | undefined {
    const [loose, exact] = [new Map<string, string>(), new Map<string, string>()];
    try {
      for (const given of parseCommandLine(argv, table).resources) {
        if (given.kind === 'row') exact.set(given.row.name, given.value);
        else if (given.line === '*title: x') loose.set('title', 'x');
      }
      return new Map([...loose, ...exact]);
    } catch (error) {
      if (error instanceof BadOptionError) return undefined;
      throw error;
    }
  }
});

/** An option as libX11's table has it. */
function optionOf(spelling: string, effect: OptionEffect): string {
  if (effect.kind === 'set') return [spelling, `.${effect.row.name}`, 'no', effect.value].join(PART);
  if (effect.kind === 'setWord') return [spelling, `.${effect.row.name}`, 'separate', ''].join(PART);
  const kind = spelling === '-xrm' ? 'resource' : effect.option.argument === 'none' ? 'no' : 'separate';
  return [spelling, `.option${spelling}`, kind, ''].join(PART);
}

/** Bits of XParseGeometry's answer. */
const [X, Y, WIDTH, HEIGHT, X_NEGATIVE, Y_NEGATIVE] = [1, 2, 4, 8, 16, 32] as const;
const INT_MAX = 0x7fff_ffff;

/** The oracle's answer as ours are; offsets have the sign of their edge there. */
function geometryOf(answer: string): Geometry | undefined {
  const [bits = 0, x = 0, y = 0, width = 0, height = 0] = answer.split(' ').map(Number);
  if (bits === 0) return undefined;
  const offset = (value: number, negative: number): Offset => {
    const fromFarEdge = (bits & negative) > 0;
    return { distance: (fromFarEdge ? -value : value) || 0, fromFarEdge };
  };
  return {
    ...((bits & WIDTH) > 0 && { width }),
    ...((bits & HEIGHT) > 0 && { height }),
    ...((bits & X) > 0 && { x: offset(x, X_NEGATIVE) }),
    ...((bits & Y) > 0 && { y: offset(y, Y_NEGATIVE) }),
  };
}
