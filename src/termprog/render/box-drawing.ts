import type { CellSize, Rectangle } from './rectangle.ts';

const FIRST = 0x2500;
const LAST = 0x257f;

/**
 * The arms of U+2500 to U+257F, four digits a character: up, right, down, left; 0 none, 1 light, 2 heavy, 3 double.
 * Dashed lines are drawn whole and rounded corners square. The diagonals have none.
 */
const ARMS =
  '0101 0202 1010 2020 0101 0202 1010 2020 0101 0202 1010 2020 0110 0210 0120 0220 ' +
  '0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120 ' +
  '2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212 ' +
  '0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212 ' +
  '2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 0101 0202 1010 2020 ' +
  '0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130 ' +
  '3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 0110 0011 1001 ' +
  '1100 0000 0000 0000 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010';

const FALLING_AND_RISING: Readonly<Record<number, readonly ('rising' | 'falling')[]>> = {
  9585: ['rising'],
  9586: ['falling'],
  9587: ['rising', 'falling'],
};

type Arms = readonly [up: number, right: number, down: number, left: number];

/** The rectangles of a box-drawing character in its cell; undefined for other characters. */
export function drawBox(codePoint: number, cell: CellSize): Rectangle[] | undefined {
  if (codePoint < FIRST || codePoint > LAST) return undefined;
  const diagonals = FALLING_AND_RISING[codePoint];
  if (diagonals !== undefined) return diagonals.flatMap((direction) => drawDiagonal(direction, cell));
  const at = (codePoint - FIRST) * 5;
  const [up = 0, right = 0, down = 0, left = 0] = [...ARMS.slice(at, at + 4)].map(Number);
  return drawArms([up, right, down, left], cell);
}

function drawArms([up, right, down, left]: Arms, cell: CellSize): Rectangle[] {
  // The middle as the reference terminal has it, so that lines meet those of other cells.
  const middle = { x: Math.floor((30 * (cell.width - 1)) / 59), y: Math.floor((30 * (cell.height - 1)) / 59) };
  const thickness = Math.max(1, Math.floor(cell.height / 16));
  const gap = thickness;
  /** Distances of an arm's strokes from the middle. */
  const strokes = (weight: number): number[] => {
    if (weight === 0) return [];
    if (weight === 2) return [0, thickness];
    return weight === 3 ? [-gap, gap] : [0];
  };
  // How far an arm reaches over the middle, to join what crosses it there.
  const reach = (one: number, other: number): number => Math.max(0, ...strokes(one), ...strokes(other));
  const horizontal = (weight: number, from: number, to: number): Rectangle[] =>
    strokes(weight).map((offset) => ({ x: from, y: middle.y + offset, width: to - from, height: thickness }));
  const vertical = (weight: number, from: number, to: number): Rectangle[] =>
    strokes(weight).map((offset) => ({ x: middle.x + offset, y: from, width: thickness, height: to - from }));
  const overX = reach(up, down);
  const overY = reach(left, right);
  return [
    ...vertical(up, 0, middle.y + overY + thickness),
    ...vertical(down, middle.y - (overY > 0 && Math.max(left, right) === 3 ? gap : 0), cell.height),
    ...horizontal(left, 0, middle.x + overX + thickness),
    ...horizontal(right, middle.x - (overX > 0 && Math.max(up, down) === 3 ? gap : 0), cell.width),
  ];
}

function drawDiagonal(direction: 'rising' | 'falling', { width, height }: CellSize): Rectangle[] {
  return Array.from({ length: height }, (_, y) => {
    const x = Math.min(width - 1, Math.floor((y * width) / height));
    return { x: direction === 'falling' ? x : width - 1 - x, y, width: 1, height: 1 };
  });
}
