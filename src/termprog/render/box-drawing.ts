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

const HEAVY = 2;
const DOUBLE = 3;

function drawArms([up, right, down, left]: Arms, cell: CellSize): Rectangle[] {
  // The middle as the reference terminal has it, so that lines meet those of other cells.
  const middle = { x: Math.floor((30 * (cell.width - 1)) / 59), y: Math.floor((30 * (cell.height - 1)) / 59) };
  const thickness = Math.max(1, Math.floor(cell.height / 16));
  const strokes = (weight: number): number[] => {
    if (weight === 0) return [];
    if (weight === HEAVY) return [0, thickness];
    return weight === DOUBLE ? [-thickness, thickness] : [0];
  };
  // An arm to the left or up ends where the crossing one does, heavy ones a stroke later.
  const over = (one: number, other: number): number => (Math.max(one, other) === HEAVY ? 2 * thickness : thickness);
  const horizontal = (weight: number, isRight: boolean): Rectangle[] =>
    strokes(weight).map((offset) => {
      const gap = gapAt(weight === DOUBLE ? offset : 0, up, down) * thickness;
      const y = middle.y + offset;
      return isRight
        ? { x: middle.x + gap, y, width: cell.width - middle.x - gap, height: thickness }
        : { x: 0, y, width: middle.x - gap + over(up, down), height: thickness };
    });
  const vertical = (weight: number, isDown: boolean): Rectangle[] =>
    strokes(weight).map((offset) => {
      const gap = gapAt(weight === DOUBLE ? offset : 0, left, right) * thickness;
      const x = middle.x + offset;
      return isDown
        ? { x, y: middle.y + gap, width: thickness, height: cell.height - middle.y - gap }
        : { x, y: 0, width: thickness, height: middle.y - gap + over(left, right) };
    });
  return [...vertical(up, false), ...vertical(down, true), ...horizontal(left, false), ...horizontal(right, true)];
}

/**
 * How many strokes from the middle an arm begins, away from it when positive, so that double lines turn corners
 * without filling the space between them.
 * @param side of the middle a stroke of a double arm runs on; 0 for a single one
 * @param before weight of the crossing arm on the negative side, `after` of the one on the positive
 */
function gapAt(side: number, before: number, after: number): number {
  const doubles = [before, after].filter((weight) => weight === DOUBLE).length;
  if (doubles === 0) return 0;
  if (side === 0) return doubles === 2 ? 1 : -1;
  return (side < 0 ? before : after) === DOUBLE ? 1 : -1;
}

function drawDiagonal(direction: 'rising' | 'falling', { width, height }: CellSize): Rectangle[] {
  return Array.from({ length: height }, (_, y) => {
    const x = Math.min(width - 1, Math.floor((y * width) / height));
    return { x: direction === 'falling' ? x : width - 1 - x, y, width: 1, height: 1 };
  });
}
