import { drawArc } from './box-arc.ts';
import { type Arms, drawArms } from './box-arms.ts';
import { type Dashes, drawDashes } from './box-dashes.ts';
import { drawDiagonals } from './diagonals.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';

const FIRST = 0x2500;

/**
 * The arms of U+2500 to U+257F, four digits per character: up, right, down, left; 0 no arm, 1 light, 2 heavy, 3 double.
 * Dashed lines, round corners and diagonals have their own tables.
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

const FIRST_TRIPLE_DASH = 0x2504;
const FIRST_QUADRUPLE_DASH = 0x2508;
const FIRST_DOUBLE_DASH = 0x254c;

/** Dashed lines come in fours: horizontal and vertical, light and heavy. */
const DASHES: ReadonlyMap<number, Dashes> = new Map(
  [
    { first: FIRST_TRIPLE_DASH, count: 3 },
    { first: FIRST_QUADRUPLE_DASH, count: 4 },
    { first: FIRST_DOUBLE_DASH, count: 2 },
  ].flatMap(({ first, count }) =>
    [0, 1, 2, 3].map((form) => [first + form, { count, isVertical: form > 1, isHeavy: form % 2 === 1 }] as const),
  ),
);

/** Code points of round corners → directions of their arms. */
const ARCS: Readonly<Record<number, { right: boolean; down: boolean }>> = {
  9581: { right: true, down: true },
  9582: { right: false, down: true },
  9583: { right: false, down: false },
  9584: { right: true, down: false },
};

const UPPER_LEFT = [0, 0] as const;
const UPPER_RIGHT = [2, 0] as const;
const LOWER_LEFT = [0, 2] as const;
const LOWER_RIGHT = [2, 2] as const;
const RISING = [LOWER_LEFT, UPPER_RIGHT] as const;
const FALLING = [UPPER_LEFT, LOWER_RIGHT] as const;
const DIAGONALS: Readonly<Record<number, readonly (typeof RISING | typeof FALLING)[]>> = {
  9585: [RISING],
  9586: [FALLING],
  9587: [RISING, FALLING],
};

/** Box drawing, U+2500 to U+257F. */
export function drawBox(codePoint: number, canvas: Canvas): Picture {
  const dashes = DASHES.get(codePoint);
  if (dashes !== undefined) return ofRectangles(drawDashes(dashes, canvas));
  const arc = ARCS[codePoint];
  if (arc !== undefined) return drawArc(arc, canvas);
  const diagonals = DIAGONALS[codePoint];
  if (diagonals !== undefined) return drawDiagonals(diagonals, canvas);
  return ofRectangles(drawArms(armsOf(codePoint), canvas));
}

function armsOf(codePoint: number): Arms {
  const at = (codePoint - FIRST) * 5;
  const [up = 0, right = 0, down = 0, left = 0] = [...ARMS.slice(at, at + 4)].map(Number);
  return [up, right, down, left];
}
