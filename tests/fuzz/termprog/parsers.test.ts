import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termprogResources } from '../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../schemas/termprog/program-options.ts';
import { BadOptionError } from '../../../src/termprog/errors.ts';
import { keysymNamed } from '../../../src/termprog/input/keysyms.ts';
import { parseTranslations } from '../../../src/termprog/translations/parser.ts';
import { TranslationTable } from '../../../src/termprog/translations/translation-table.ts';
import { parseCommandLine } from '../../../src/termprog/xresource/command-line.ts';
import { createOptionTable } from '../../../src/termprog/xresource/option-table.ts';
import { formatReport } from '../../../src/termprog/xresource/report-config.ts';
import { resolveResources } from '../../../src/termprog/xresource/resolve-resources.ts';
import { escapeValue, parseResources } from '../../../src/termprog/xresource/resource-syntax.ts';
import { collectResources } from '../../../src/termprog/xresource/sources.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

const RUNS = fuzzRuns(500);
const name = { instance: 'term', class: 'Term' };
const table = createOptionTable(termprogResources, termprogProgramOptions);

const word = fc.constantFrom(
  'term',
  'Term',
  'vt100',
  'VT100',
  'font',
  'title',
  'color1',
  '?',
  '.',
  '*',
  ':',
  ' ',
  '\\',
  '\\n',
  '\n',
  '!',
  '#include "x"',
  '\\040',
  'é',
  '80x24',
  'true',
);
const resourceText = fc.oneof(
  fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
  fc.string({ unit: 'binary-ascii', maxLength: 80 }),
);

test('any text of resources is read, and its report reads back as itself', () => {
  const report = (resourceManager: string): string[] => {
    const host = {
      environment: {},
      home: '/home/ada',
      hostName: 'h',
      readFile: () => undefined,
      resourceManager,
      screenResources: undefined,
    };
    const resolved = resolveResources(termprogResources, collectResources(host, name, []).database, name);
    return formatReport(resolved, name)
      .split('\n')
      .filter((line) => !line.startsWith('!'));
  };
  fc.assert(
    fc.property(resourceText, (text) => {
      const first = report(text);
      expect(report(Buffer.from(first.join('\n'), 'utf8').toString('latin1'))).toEqual(first);
    }),
    { numRuns: fuzzRuns(100) },
  );
});

test('any value escaped for a resource file reads back as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const line = Buffer.from(`a: ${escapeValue(value)}`, 'utf8').toString('latin1');
      expect(parseResources(line).map((entry) => entry.value)).toEqual([Buffer.from(value, 'utf8').toString('utf8')]);
    }),
    { numRuns: RUNS, examples: [['\ufffd']] },
  );
});

test('any table of translations gives bindings or a reason for each line', () => {
  const part = fc.constantFrom(
    'Shift',
    '~Ctrl',
    '!',
    '<Key>',
    '<Btn1Down>',
    '<BtnUp>',
    'Prior',
    ':',
    ' ',
    'scroll-back(1)',
    'x(',
    '"',
    ')',
    ',',
    '\\',
    '#override',
    '\n',
    '#',
    'None',
    '@Num_Lock',
    '(2)',
    '(3+)',
    '"a^b$c"',
    '<FocusIn>',
    '<Prop>',
    '\r',
    '{',
    '0x',
    'XF86AudioMute',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 25 }).map((parts) => parts.join('')),
      (text) => {
        const { bindings, problems } = parseTranslations(text, keysymNamed);
        // An unknown directive is one more, beside the line it stands on.
        expect(bindings.length + problems.length).toBeLessThanOrEqual(text.split('\n').length + 1);
        for (const { steps, repeatsFrom } of bindings) {
          expect(steps.length).toBeGreaterThan(0);
          expect(repeatsFrom ?? 0).toBeLessThan(steps.length);
        }
        new TranslationTable([bindings]);
      },
    ),
    { numRuns: RUNS },
  );
});

const MICROSECONDS_PER_MS = 1_000;

const repeatedParts = ['(', '"', '\\"', ' ', ',', '~', '~ ', '@', 'a', 'a(', 'a("', 'a()', '<', '>', ':', '\\'];

for (const [where, lineOf] of [
  ['actions', (filling: string) => `<Key>a: ${filling}`],
  ['parameters', (filling: string) => `<Key>a: x(${filling})`],
  ['modifiers', (filling: string) => `Shift${filling}-<Key>a: x()`],
  ['an event', (filling: string) => `<${filling}-`],
  ['a detail', (filling: string) => `<Key>${filling}x`],
] as const) {
  test(`a long line of translations with anything for ${where} is read or refused in bounded time`, () => {
    for (const line of repeatedParts.map((part) => lineOf(part.repeat(60_000)))) {
      // This measures time of the processor: others may have it for longer.
      const before = process.cpuUsage();
      parseTranslations(line, keysymNamed);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / MICROSECONDS_PER_MS).toBeLessThan(1_000);
    }
  });
}

test('any arguments are read or refused by name', () => {
  const spelling = fc.constantFrom(...table.spellings.keys());
  const argument = fc.oneof(
    spelling,
    spelling.map((option) => option.slice(0, 4)),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 8 }), (argv) => {
      try {
        parseCommandLine(argv, table);
      } catch (error) {
        expect(error).toBeInstanceOf(BadOptionError);
      }
    }),
    { numRuns: RUNS },
  );
});
