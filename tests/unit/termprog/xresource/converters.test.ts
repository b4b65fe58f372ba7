import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import type { XResourceRow } from '../../../../schemas/termprog/resource-table.ts';
import { convertValue } from '../../../../src/termprog/xresource/converters.ts';
import { processorMs } from '../../../harness/processor-time.ts';

const row = (fields: Partial<XResourceRow>): XResourceRow => ({
  scope: 'vt100',
  name: 'x',
  class: 'X',
  type: 'string',
  default: undefined,
  doc: '',
  ...fields,
});
const convert = (fields: Partial<XResourceRow>, text: string): string => {
  const result = convertValue(row(fields), text);
  return result.ok ? result.text : `expected ${result.expected}`;
};

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
  test(`the boolean "${word}" is ${value}`, () => expect(convert({ type: 'boolean' }, word)).toBe(value));
}

test('numbers keep their bounds', () => {
  const range = { min: 1, max: 10 };
  expect(convert({ type: 'integer', range }, '+7')).toBe('7');
  expect(convert({ type: 'integer', range }, '11')).toBe('expected an integer from 1 to 10');
  expect(convert({ type: 'integer', range: { min: 1 } }, '0')).toBe('expected an integer of at least 1');
  expect(convert({ type: 'integer' }, '1.5')).toBe('expected an integer');
  expect(convert({ type: 'number' }, '.5')).toBe('.5');
  expect(convert({ type: 'number' }, '1e3')).toBe('expected a number');
  expect(convert({ type: 'dimension' }, '65536')).toBe('expected an integer from 0 to 65535');
});

test('a choice is compared without regard to case', () => {
  expect(convert({ choices: ['always', 'never'] }, ' Always ')).toBe('always');
  expect(convert({ choices: ['always', 'never'] }, 'maybe')).toBe('expected one of always, never');
});

test('colours are checked by their form, and names are left to the server', () => {
  expect(convert({ type: 'color' }, '#12345')).toBe('expected a colour as #rgb with 3, 6, 9 or 12 digits');
  expect(convert({ type: 'color' }, 'rgb:1/2')).toBe('expected a colour as rgb:rr/gg/bb');
  expect(convert({ type: 'color' }, 'rgb:1/22/333')).toBe('rgb:1/22/333');
  expect(convert({ type: 'color' }, ' light blue ')).toBe('light blue');
});

test('a geometry is checked by its form, and an empty one counts as unset', () => {
  expect(convert({ type: 'geometry' }, ' 80x24-0+5 ')).toBe('80x24-0+5');
  expect(convert({ type: 'geometry' }, '')).toBe('');
  expect(convert({ type: 'geometry' }, 'big')).toMatch('expected a geometry (WIDTHxHEIGHT+X+Y');
});

test('every default of the table is a value that its row accepts', () => {
  const refused = termprogResources.filter(
    (each) => each.default !== undefined && !convertValue(each, each.default).ok,
  );
  expect(refused.map(({ name }) => name)).toEqual([]);
});

for (const [type, text] of [
  ['number', `${'1'.repeat(100_000)}x`],
  ['integer', `${'1'.repeat(100_000)}x`],
  ['geometry', `${'1'.repeat(100_000)}+`],
  ['color', `#${'1'.repeat(100_000)}x`],
  ['boolean', `x${' '.repeat(100_000)}x`],
] as const) {
  test(`a very long text that is no ${type} is refused in bounded time`, () => {
    let isTaken = true;
    const tookMs = processorMs(() => {
      isTaken = convertValue(row({ type }), text).ok;
    });
    expect(isTaken).toBe(false);
    expect(tookMs).toBeLessThan(1_000);
  });
}
