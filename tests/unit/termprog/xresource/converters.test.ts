import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { resource, resources } from '../../../../schemas/termprog/resource-table.ts';
import {
  boolean,
  choice,
  color,
  dimension,
  fontList,
  geometry,
  integer,
  number,
  numberOr,
  type ResourceType,
} from '../../../../schemas/termprog/resource-types.ts';
import { convertValue } from '../../../../src/termprog/xresource/converters.ts';
import { processorMs } from '../../../harness/processor-time.ts';

/** Converts a text to a resource's type, and returns the result as text. */
function convert(type: ResourceType<unknown>, text: string): string {
  const [row] = resources('vt100', { x: resource(type, { class: 'X', default: undefined, doc: '' }) });
  if (row === undefined) throw new Error('there is no row');
  const result = convertValue(row, text);
  return result.ok ? result.text : `expected ${result.expected}`;
}

for (const [word, value] of [
  ['true', 'true'],
  ['Yes', 'true'],
  ['ON', 'true'],
  ['1', 'true'],
  [' false ', 'false'],
  ['no', 'false'],
  ['Off', 'false'],
  ['0', 'false'],
  ['2', 'expected a boolean (true, yes, on, 1, false, no, off or 0)'],
] as const) {
  test(`the boolean "${word}" is ${value}`, () => expect(convert(boolean, word)).toBe(value));
}

test('numbers keep their bounds', () => {
  const range = { min: 1, max: 10 };
  expect(convert(integer(range), '+7')).toBe('7');
  expect(convert(integer(range), '11')).toBe('expected an integer from 1 to 10');
  expect(convert(integer({ min: 1 }), '0')).toBe('expected an integer of at least 1');
  expect(convert(integer({ max: 1 }), '2')).toBe('expected an integer up to 1');
  expect(convert(integer(), '1.5')).toBe('expected an integer');
  expect(convert(number(), '.5')).toBe('.5');
  expect(convert(number(), '8.0')).toBe('8.0');
  expect(convert(number(), '1e3')).toBe('expected a number');
  expect(convert(dimension, '65536')).toBe('expected an integer from 0 to 65535');
});

test('a list of fonts is bounded: each is opened until one fits', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, at) => `f${at}`).join(',');
  expect(convert(fontList, names(64))).toBe(names(64));
  expect(convert(fontList, names(65))).toBe('expected at most 64 fonts, separated by commas');
  expect(convert(fontList, names(10_000))).toBe('expected at most 64 fonts, separated by commas');
});

test('a word may stand for a number', () => {
  const opacity = numberOr('disabled', { min: 0, max: 1 });
  expect(convert(opacity, '0.50')).toBe('0.50');
  expect(convert(opacity, ' Disabled ')).toBe('disabled');
  expect(convert(opacity, '2')).toBe('expected a number from 0 to 1 or disabled');
  expect(convert(opacity, 'off')).toBe('expected a number from 0 to 1 or disabled');
});

test('a choice is compared without regard to case', () => {
  expect(convert(choice('always', 'never'), ' Always ')).toBe('always');
  expect(convert(choice('always', 'never'), 'maybe')).toBe('expected one of always, never');
});

test('the words of booleans stand for true and false where these are among the choices', () => {
  for (const word of ['true', 'Yes', 'on', '1']) expect(convert(choice('false', 'true', 'always'), word)).toBe('true');
  for (const word of ['false', 'no', ' OFF', '0']) expect(convert(choice('false', 'true'), word)).toBe('false');
  expect(convert(choice('on', 'true'), 'on')).toBe('on');
  expect(convert(choice('always', 'never'), 'yes')).toBe('expected one of always, never');
  expect(convert(choice('true', 'false', 'default'), '2')).toBe('expected one of true, false, default');
});

test('colours are checked by their form, and names are left to the server', () => {
  expect(convert(color, '#12345')).toBe('expected a colour as #rgb with 3, 6, 9 or 12 digits');
  expect(convert(color, 'rgb:1/2')).toBe('expected a colour as rgb:rr/gg/bb');
  expect(convert(color, 'rgb:1/22/333')).toBe('rgb:1/22/333');
  expect(convert(color, ' light blue ')).toBe('light blue');
});

test('colours in numbers of other kinds are checked by their form, too', () => {
  const expected = 'expected a colour with three numbers, such as rgbi:1.0/0.5/0 or CIELab:50/20/-30';
  expect(convert(color, 'rgbi:1.0/.5/0')).toBe('rgbi:1.0/.5/0');
  expect(convert(color, 'CIEuvY:1e-1/-0.2/+.3')).toBe('CIEuvY:1e-1/-0.2/+.3');
  expect(convert(color, 'rgbi:1.0/.5')).toBe(expected);
  expect(convert(color, 'tekhvc:a/b/c')).toBe(`${expected}, V from 0 to 100, and C of at least 0`);
});

test('a colour of a resource is read as an application’s is, so that a number out of bounds is reported', () => {
  expect(convert(color, 'CIEuvY:1e-1/-0.2/+3')).toMatch(/, Y from 0 to 1$/);
  expect(convert(color, 'CIELab:101/0/0')).toMatch(/, L\* from 0 to 100$/);
  expect(convert(color, 'CIExyY:.5/.5/1.5')).toMatch(/, each from 0 to 1$/);
  expect(convert(color, 'TekHVC:0/50/-1')).toMatch(/C of at least 0$/);
  expect(convert(color, 'rgb:12345/0/0')).toBe('expected a colour as rgb:rr/gg/bb');
  for (const spec of ['hsv:1/2/3', 'constructor:1/2/3', 'light:blue']) {
    expect(convert(color, spec)).toMatch(/^expected a colour's name, or numbers behind # or one of rgb:/);
  }
});

test('a geometry is checked by its form, and an empty one counts as unset', () => {
  expect(convert(geometry, ' 80x24-0+5 ')).toBe('80x24-0+5');
  expect(convert(geometry, '')).toBe('');
  expect(convert(geometry, 'big')).toMatch('expected a geometry (WIDTHxHEIGHT+X+Y');
});

test('every default of the table is a value that its row accepts', () => {
  const refused = termprogResources.filter(
    (each) => each.default !== undefined && !convertValue(each, each.default).ok,
  );
  expect(refused.map(({ name }) => name)).toEqual([]);
});

test('the schema of every row reads texts as the row does, and says the same of those it refuses', () => {
  const texts = ['', 'true', ' NO ', '7', '-1', '0.5', '1e3', '99999', 'disabled', '80x24+0-0', '#ff0000', 'fixed '];
  for (const { name, schema, read } of termprogResources) {
    for (const text of texts) {
      const { data, error } = schema.safeParse(text);
      const bySchema = error === undefined ? { value: data } : { expected: error.issues[0]?.message };
      expect(bySchema, `${name} "${text}"`).toEqual(read(text));
    }
  }
});

for (const [type, text] of [
  [number(), `${'1'.repeat(100_000)}x`],
  [integer(), `${'1'.repeat(100_000)}x`],
  [geometry, `${'1'.repeat(100_000)}+`],
  [color, `#${'1'.repeat(100_000)}x`],
  [color, `rgbi:${'1'.repeat(100_000)}x`],
  [boolean, `x${' '.repeat(100_000)}x`],
] as const) {
  test(`a very long text such as ${text.slice(0, 6)} is refused in bounded time where a ${type.type} is expected`, () => {
    let answer = '';
    const tookMs = processorMs(() => {
      answer = convert(type, text);
    });
    expect(answer).toMatch(/^expected /);
    expect(tookMs).toBeLessThan(1_000);
  });
}
