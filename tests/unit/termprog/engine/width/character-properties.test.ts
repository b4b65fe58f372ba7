import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { UNICODE_VERSION } from '../../../../../src/termprog/engine/width/character-data.ts';
import {
  createCharacterProperties,
  VARIATION_BASE,
  WIDTH_MASK,
} from '../../../../../src/termprog/engine/width/character-properties.ts';

const propertiesOf = createCharacterProperties();
const widthOf = (code: number): number => propertiesOf(code) & WIDTH_MASK;

/** Printable code points start here; those below are control characters and ASCII. */
const FIRST = 0xa0;
const CODE_POINTS = 0x11_0000;
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/**
 * Where the terminal differs from the C library of Debian 12, which knows Unicode 15.0. Newer libraries know some of
 * these; code points that a library calls unprintable are those that it does not know.
 */
const DIFFERENCES = [
  { first: 0x2630, last: 0x2637, ours: 2, libc: 1, why: 'trigrams are wide since Unicode 16' },
  { first: 0x268a, last: 0x268f, ours: 2, libc: 1, why: 'monograms and digrams are wide since Unicode 16' },
  { first: 0x1_171e, last: 0x1_171e, ours: 1, libc: 0, why: 'an Ahom sign that takes room since Unicode 15.1' },
  { first: 0x1_d300, last: 0x1_d356, ours: 2, libc: 1, why: 'Tai Xuan Jing symbols are wide since Unicode 16' },
  { first: 0x1_d360, last: 0x1_d376, ours: 2, libc: 1, why: 'counting rods are wide since Unicode 16' },
];

test('the table is of the Unicode version that Node has', () => {
  expect(UNICODE_VERSION).toBe(process.versions.unicode);
});

test('every width is that of the C library, but for the listed differences', () => {
  const libc = createRequire(import.meta.url)('koffi').load('libc.so.6');
  const LC_CTYPE = 0;
  expect(libc.func('const char *setlocale(int category, const char *locale)')(LC_CTYPE, 'C.UTF-8')).toBe('C.UTF-8');
  const wcwidth: (code: number) => number = libc.func('int wcwidth(uint32_t code)');
  const unlisted: string[] = [];
  for (let code = FIRST; code < CODE_POINTS; code += 1) {
    if (isSurrogate(code)) continue;
    const theirs = wcwidth(code);
    const ours = widthOf(code);
    if (theirs < 0 || theirs === ours) continue;
    const isListed = DIFFERENCES.some(
      (row) => code >= row.first && code <= row.last && row.ours === ours && row.libc === theirs,
    );
    if (!isListed) unlisted.push(`U+${code.toString(16)}: ours ${ours}, C library ${theirs}`);
  }
  expect(unlisted).toEqual([]);
});

for (const [what, width, ...samples] of [
  ['letters and symbols of every alphabet', 1, 'é', 'Ж', 'ا', '€', '─', '█', '\u00ad', '①'],
  [
    'Chinese, Japanese and Korean',
    2,
    '漢',
    'か',
    'ｶ'.normalize('NFKC'),
    '한',
    '\uff21',
    '㍿',
    '\u{20000}',
    '\u{3fffd}',
  ],
  ['emoji and their modifiers', 2, '😀', '🏽', '⌚', '🫩'],
  [
    'what is drawn with the character before it',
    0,
    '\u0301',
    '\u200d',
    '\ufe0f',
    '\u20dd',
    '\u1160',
    '\u11ff',
    '\u200b',
  ],
  ['code points that nobody has assigned, and private ones', 1, '\u0378', '\ue000', '\u{10fffd}', '\u{e0fff}'],
] as const) {
  test(`${what} take ${width} ${width === 1 ? 'cell' : 'cells'}`, () => {
    expect(samples.map((sample) => [sample, widthOf(sample.codePointAt(0) ?? 0)])).toEqual(
      samples.map((sample) => [sample, width]),
    );
  });
}

test('variation selectors choose only how emoji are shown', () => {
  const emoji = ['#', '5', '©', '❤', '☎', '⌚', '🀄', '😀'];
  const chosen = [...emoji, 'a', '漢', '─', '①'].filter(
    (text) => (propertiesOf(text.codePointAt(0) ?? 0) & VARIATION_BASE) !== 0,
  );
  expect(chosen).toEqual(emoji);
});
