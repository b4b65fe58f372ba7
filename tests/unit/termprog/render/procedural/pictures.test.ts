import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isProcedural, rectanglesOf } from '../../../../../src/termprog/render/procedural/pictures.ts';
import { RANGES } from '../../../../../src/termprog/render/procedural/ranges.ts';
import { count, draw, range, text } from './bitmap.ts';

const characters = RANGES.flatMap(({ first, last }) => range(first, last)).filter(isProcedural);
const cellSize = fc.record({ width: fc.integer({ min: 1, max: 64 }), height: fc.integer({ min: 1, max: 64 }) });
const cells = [
  { width: 5, height: 7 },
  { width: 6, height: 13 },
  { width: 9, height: 15 },
  { width: 12, height: 24 },
  { width: 31, height: 61 },
];

test('the ranges of the specification are drawn', () => {
  for (const [first, last] of [
    [0x23ba, 0x23bd],
    [0x2500, 0x259f],
    [0x25e2, 0x25e5],
    [0x2800, 0x28ff],
    [0xe0b0, 0xe0bf],
    [0x1cd00, 0x1cde5],
    [0x1fb00, 0x1fb92],
    [0x1fb94, 0x1fbaf],
  ] as const) {
    expect(range(first, last).filter((codePoint) => !isProcedural(codePoint))).toEqual([]);
  }
});

test('other characters are left to fonts', () => {
  const others = [0x20, 0x41, 0x23b9, 0x23be, 0x24ff, 0x25a0, 0x25fb, 0x27ff, 0x2900, 0x1fb93, 0x1fbb0, 0x1f600];
  expect(others.filter(isProcedural)).toEqual([]);
  expect(others.map((codePoint) => rectanglesOf(codePoint, { width: 6, height: 13 }, false))).toEqual(
    others.map(() => undefined),
  );
});

test('every character is drawn inside of cells of every size', () => {
  fc.assert(
    fc.property(cellSize, (cell) => {
      for (const codePoint of characters) {
        const outside = (rectanglesOf(codePoint, cell, true) ?? []).filter(
          ({ x, y, width, height }) =>
            ![x, y, width, height].every(Number.isInteger) ||
            x < 0 ||
            y < 0 ||
            width <= 0 ||
            height <= 0 ||
            x + width > cell.width ||
            y + height > cell.height,
        );
        expect([codePoint.toString(16), outside]).toEqual([codePoint.toString(16), []]);
      }
    }),
    { numRuns: 40 },
  );
});

test('every character but the blank Braille pattern has ink, and no two of a range look the same', () => {
  const cell = { width: 24, height: 48 };
  for (const { first, last } of RANGES) {
    const pictures = range(first, last)
      .filter((codePoint) => isProcedural(codePoint))
      .map((codePoint) => ({ codePoint, picture: text(draw(codePoint, cell)).join() }));
    const empty = pictures.filter(({ picture }) => !picture.includes('#')).map(({ codePoint }) => codePoint);
    expect(empty).toEqual(first === 0x2800 ? [0x2800] : []);
    // Two separators stand twice in their range.
    expect(pictures.length - new Set(pictures.map(({ picture }) => picture)).size).toBe(first === 0xe0b0 ? 2 : 0);
  }
});

test.each(cells)('parts of a cell of $width x $height fill it once', (cell) => {
  const full = cell.width * cell.height;
  expect(count(draw('█', cell))).toBe(full);
  for (const pair of ['▀▄', '▌▐', '▖▜', '▗▛', '▘▟', '▝▙', '▚▞', '🮌🮍', '🮎🮏'].map((two) => [...two])) {
    const [one = '', other = ''] = pair;
    const whole = one > '🬀' ? count(draw('▒', cell)) : full;
    expect([one, count(draw(one, cell)) + count(draw(other, cell))]).toEqual([one, whole]);
  }
  expect(count(draw(0x2592, cell)) + count(draw(0x1fb90, cell))).toBe(full);
  for (const wedge of range(0x1fb3c, 0x1fb51)) {
    expect([wedge.toString(16), count(draw(wedge, cell)) + count(draw(wedge + 22, cell))]).toEqual([
      wedge.toString(16),
      full,
    ]);
  }
});

test.each([
  // Cells of fixed and 9x15, and what these fonts have.
  { width: 6, height: 13, upper: 6, left: 3 },
  { width: 9, height: 15, upper: 7, left: 5 },
])('in a cell of $width x $height, halves end where those of bitmap fonts do', ({ upper, left, ...cell }) => {
  expect(count(draw('▀', cell))).toBe(upper * cell.width);
  expect(count(draw('▄', cell))).toBe((cell.height - upper) * cell.width);
  expect(count(draw('▌', cell))).toBe(left * cell.height);
  expect(count(draw('▗', cell))).toBe((cell.width - left) * (cell.height - upper));
});

test.each(cells)('bars of eighths in a cell of $width x $height grow', (cell) => {
  const heights = range(0x2581, 0x2588).map((codePoint) => count(draw(codePoint, cell)));
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  const widths = range(0x2588, 0x258f).map((codePoint) => count(draw(codePoint, cell)));
  expect(widths).toEqual(widths.toSorted((a, b) => b - a));
});

test.each(cells)('shades of a cell of $width x $height grow from light to dark', (cell) => {
  const inks = [0x2591, 0x2592, 0x2593, 0x2588].map((codePoint) => count(draw(codePoint, cell)));
  expect(inks).toEqual([...new Set(inks)].toSorted((a, b) => a - b));
});

test('the dots of a Braille pattern stand apart, and each has its bit', () => {
  expect(text(draw('⣿', { width: 6, height: 13 }))).toEqual([
    '##.##.',
    '##.##.',
    '......',
    '##.##.',
    '##.##.',
    '......',
    '......',
    '##.##.',
    '##.##.',
    '......',
    '##.##.',
    '##.##.',
    '......',
  ]);
  expect(text(draw('⡁', { width: 4, height: 8 }))).toEqual([
    '#...',
    '....',
    '....',
    '....',
    '....',
    '....',
    '#...',
    '....',
  ]);
});

test('sextants and octants follow the order of Unicode', () => {
  const cell = { width: 2, height: 3 };
  expect(text(draw('🬀', cell))).toEqual(['#.', '..', '..']);
  expect(text(draw('🬔', cell))).toEqual(['.#', '#.', '#.']);
  expect(text(draw('🬻', cell))).toEqual(['.#', '##', '##']);
  const tall = { width: 2, height: 4 };
  expect(text(draw(0x1cd00, tall))).toEqual(['..', '#.', '..', '..']);
  expect(text(draw(0x1cd09, tall))).toEqual(['..', '..', '#.', '..']);
  expect(text(draw(0x1cde5, tall))).toEqual(['.#', '##', '##', '##']);
});

test('scan lines are where the usual bitmap fonts have them', () => {
  const rowsOf = (height: number): number[] =>
    range(0x23ba, 0x23bd).map((codePoint) => draw(codePoint, { width: 1, height }).flat().indexOf(true));
  expect([13, 15, 20].map(rowsOf)).toEqual([
    [0, 3, 9, 12],
    [0, 3, 11, 14],
    [0, 5, 14, 19],
  ]);
});

test('dashes leave a gap after each, also at the edge of the cell', () => {
  expect(text(draw('┄', { width: 12, height: 1 }))).toEqual(['###.###.###.']);
  expect(text(draw('╌', { width: 12, height: 1 }))).toEqual(['####..####..']);
  expect(text(draw('┈', { width: 3, height: 1 }))).toEqual(['##.']);
});

test('pictures of huge cells stay small', () => {
  for (const cell of [
    { width: 32_767, height: 32_767 },
    { width: 1, height: 32_767 },
    { width: 32_767, height: 1 },
    { width: 129, height: 129 },
  ]) {
    const most = Math.max(...characters.map((codePoint) => rectanglesOf(codePoint, cell, false)?.length ?? 0));
    expect(most).toBeLessThan(5_000);
  }
});
