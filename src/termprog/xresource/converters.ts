import type { XResourceRow, XResourceType } from '../../../schemas/termprog/resource-table.ts';
import { parseGeometry } from './geometry.ts';

/** X's own limit: a length on the wire has 16 bits. */
const DIMENSION_MAX = 65_535;

/** A value in its usual spelling, or what was expected instead. */
export type Conversion = { ok: true; text: string } | { ok: false; expected: string };

type Converter = (text: string, row: XResourceRow) => Conversion;

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

const good = (text: string): Conversion => ({ ok: true, text });
const bad = (expected: string): Conversion => ({ ok: false, expected });

const converters: Record<XResourceType, Converter> = {
  boolean: (text) => {
    const word = text.trim().toLowerCase();
    if (TRUE_WORDS.includes(word)) return good('true');
    return FALSE_WORDS.includes(word) ? good('false') : bad('a boolean (true, yes, on, 1, false, no, off or 0)');
  },
  integer: (text, row) => convertNumber(text, row, { pattern: /^[+-]?\d+$/, noun: 'an integer' }),
  number: (text, row) => convertNumber(text, row, { pattern: /^[+-]?(\d+(\.\d*)?|\.\d+)$/, noun: 'a number' }),
  dimension: (text, row) =>
    convertNumber(
      text,
      { ...row, range: { min: 0, max: DIMENSION_MAX } },
      { pattern: /^[+-]?\d+$/, noun: 'an integer' },
    ),
  string: (text, { choices }) => {
    if (choices === undefined) return good(text);
    const word = text.trim().toLowerCase();
    return choices.includes(word) ? good(word) : bad(`one of ${choices.join(', ')}`);
  },
  pattern: (text) => good(text.trim()),
  font: (text) => good(text.trim()),
  color: (text) => {
    const spec = text.trim();
    if (spec.startsWith('#') && !/^#(?:[0-9a-f]{3}){1,4}$/i.test(spec))
      return bad('a colour as #rgb with 3, 6, 9 or 12 digits');
    if (/^rgb:/i.test(spec) && !/^rgb:(?:[0-9a-f]{1,4})(?:\/[0-9a-f]{1,4}){2}$/i.test(spec))
      return bad('a colour as rgb:rr/gg/bb');
    return good(spec);
  },
  geometry: (text) => {
    const word = text.trim();
    return word === '' || parseGeometry(word) !== undefined
      ? good(word)
      : bad('a geometry (WIDTHxHEIGHT+X+Y with any part left out, such as 80x24, +10-0 or 100x30+0+0)');
  },
};

/** Checks a resource's text by its row. The name of a colour is known only to the X server and is checked there. */
export function convertValue(row: XResourceRow, text: string): Conversion {
  return converters[row.type](text, row);
}

function convertNumber(text: string, { range }: XResourceRow, kind: { pattern: RegExp; noun: string }): Conversion {
  const word = text.trim();
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range ?? {};
  const number = Number(word);
  if (kind.pattern.test(word) && number >= min && number <= max) return good(word.replace(/^\+/, ''));
  const from = Number.isFinite(min) ? ` from ${min}` : '';
  const to = Number.isFinite(max) ? ` to ${max}` : '';
  return bad(
    from === '' && to !== ''
      ? `${kind.noun} up to ${max}`
      : to === '' && from !== ''
        ? `${kind.noun} of at least ${min}`
        : kind.noun + from + to,
  );
}
