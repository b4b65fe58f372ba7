import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CellSize } from '../../../../../src/termprog/render/rectangle.ts';
import { type Bitmap, column, draw, pieces, range, text } from './bitmap.ts';

const cellSize = fc.record({ width: fc.integer({ min: 1, max: 64 }), height: fc.integer({ min: 1, max: 64 }) });
const forEveryCell = (check: (cell: CellSize) => void): void =>
  fc.assert(fc.property(cellSize, check), { numRuns: 60 });

const edges: Readonly<Record<'up' | 'right' | 'down' | 'left', (pixels: Bitmap) => boolean[]>> = {
  up: (pixels) => pixels[0] ?? [],
  right: (pixels) => column(pixels, -1),
  down: (pixels) => pixels.at(-1) ?? [],
  left: (pixels) => column(pixels, 0),
};

/** Characters whose arm reaches an edge, by its weight. */
const REACHING = [
  { edge: 'right', like: '─', characters: '─┌┎└┖├┞┟┠┬┭┰┱┴┵┸┹┼┽╀╁╂╃╅╉╓╙╟╥╨╫╭╰╶╾' },
  { edge: 'left', like: '─', characters: '─┐┒┘┚┤┦┧┨┬┮┰┲┴┶┸┺┼┾╀╁╂╄╆╊╖╜╢╥╨╫╮╯╴╼' },
  { edge: 'up', like: '│', characters: '│└┕┘┙├┝┟┢┤┥┧┪┴┵┶┷┼┽┾┿╁╅╆╈╘╛╞╡╧╪╯╰╵╽' },
  { edge: 'down', like: '│', characters: '│┌┍┐┑├┝┞┡┤┥┦┩┬┭┮┯┼┽┾┿╀╃╄╇╒╕╞╡╤╪╭╮╷╿' },
  { edge: 'right', like: '━', characters: '━┍┏┕┗┝┡┢┣┮┯┲┳┶┷┺┻┾┿╄╆╇╈╊╋╺╼' },
  { edge: 'left', like: '━', characters: '━┑┓┙┛┥┩┪┫┭┯┱┳┵┷┹┻┽┿╃╅╇╈╉╋╸╾' },
  { edge: 'up', like: '┃', characters: '┃┖┗┚┛┞┠┡┣┦┨┩┫┸┹┺┻╀╂╃╄╇╉╊╋╹╿' },
  { edge: 'down', like: '┃', characters: '┃┎┏┒┓┟┠┢┣┧┨┪┫┰┱┲┳╁╂╅╆╈╉╊╋╻╽' },
  { edge: 'right', like: '═', characters: '═╒╔╘╚╞╠╤╦╧╩╪╬' },
  { edge: 'left', like: '═', characters: '═╕╗╛╝╡╣╤╦╧╩╪╬' },
  { edge: 'up', like: '║', characters: '║╙╚╜╝╟╠╢╣╨╩╫╬' },
  { edge: 'down', like: '║', characters: '║╓╔╖╗╟╠╢╣╥╦╫╬' },
] as const;

test('lines meet those of the cells beside, above and below, in cells of every size', () => {
  forEveryCell((cell) => {
    for (const { edge, like, characters } of REACHING) {
      const expected = edges[edge](draw(like, cell));
      expect(expected).toContain(true);
      // If a cell is only a pixel or two wide, lines of the other direction fill the edge.
      const apart = [...characters].filter((character) => {
        const reached = edges[edge](draw(character, cell));
        return expected.some((isLit, at) => isLit && reached[at] !== true);
      });
      expect([edge, like, apart]).toEqual([edge, like, []]);
    }
  });
});

test('both ends of a line are at the same place, also when the line is bold', () => {
  forEveryCell((cell) => {
    for (const isBold of [false, true]) {
      for (const line of '─━═') {
        const pixels = draw(line, cell, isBold);
        expect(edges.left(pixels)).toEqual(edges.right(pixels));
      }
      for (const line of '│┃║') {
        const pixels = draw(line, cell, isBold);
        expect(edges.up(pixels)).toEqual(edges.down(pixels));
      }
    }
  });
});

test('bold lines are thicker, and meet those that are not', () => {
  forEveryCell((cell) => {
    for (const character of '─│┼┌╭━╋') {
      const [plain, bold] = [draw(character, cell), draw(character, cell, true)];
      for (const edge of Object.values(edges)) {
        const lost = edge(plain).filter((isLit, at) => isLit && edge(bold)[at] !== true);
        expect([character, lost]).toEqual([character, []]);
      }
    }
  });
  expect(text(draw('─', { width: 2, height: 4 }, true))).toEqual(['..', '##', '##', '..']);
});

test('an arm reaches no edge that its character does not name', () => {
  // A cell of this size has room for each line.
  const cell = { width: 13, height: 27 };
  for (const edge of ['up', 'right', 'down', 'left'] as const) {
    const named = REACHING.filter((row) => row.edge === edge).flatMap(({ characters }) => [...characters]);
    for (const codePoint of range(0x2500, 0x257f)) {
      const character = String.fromCodePoint(codePoint);
      if (/[┄-┋╌-╏╱-╳]/u.test(character)) continue;
      expect([character, edge, edges[edge](draw(codePoint, cell)).includes(true)]).toEqual([
        character,
        edge,
        named.includes(character),
      ]);
    }
  }
});

test('lines that cross or turn are in one piece, in cells of every size', () => {
  const joined = range(0x2500, 0x254b).filter((codePoint) => codePoint < 0x2504 || codePoint > 0x250b);
  const single = [...joined, ...range(0x256d, 0x2573), ...range(0x2574, 0x257f)];
  forEveryCell((cell) => {
    for (const codePoint of single) {
      expect([String.fromCodePoint(codePoint), pieces(draw(codePoint, cell))]).toEqual([
        String.fromCodePoint(codePoint),
        1,
      ]);
    }
  });
});

test('double lines leave the space between them free where there is room', () => {
  const cell = { width: 7, height: 9 };
  expect(pieces(draw('═', cell))).toBe(2);
  expect(pieces(draw('╬', cell))).toBe(4);
  expect(pieces(draw('╠', cell))).toBe(3);
  expect(pieces(draw('╔', cell))).toBe(2);
  expect(pieces(draw('╪', cell))).toBe(1);
  expect(pieces(draw('╫', cell))).toBe(1);
});

test('slanted lines reach the corners and the middles of the sides', () => {
  forEveryCell((cell) => {
    const rising = draw('╱', cell);
    expect([rising[0]?.at(-1), rising.at(-1)?.[0]]).toEqual([true, true]);
    const falling = draw('╲', cell);
    expect([falling[0]?.[0], falling.at(-1)?.at(-1)]).toEqual([true, true]);
  });
});
