import { mosaic } from './block-elements.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';

const SEXTANT_ROWS = 3;
const OCTANT_ROWS = 4;

/** Sextants that are characters of other ranges: blank, left half, right half, full. */
const OTHER_SEXTANTS = [0x00, 0x15, 0x2a, 0x3f];

/** Octants that are characters of other ranges: blank, quarters, halves, three quarters, quadrants and full. */
const OTHER_OCTANTS = [
  0, 1, 2, 3, 5, 10, 15, 20, 40, 63, 64, 80, 85, 90, 95, 128, 160, 165, 170, 175, 192, 240, 245, 250, 252, 255,
];

const SEXTANTS = withoutOthers(SEXTANT_ROWS, OTHER_SEXTANTS);
const OCTANTS = withoutOthers(OCTANT_ROWS, OTHER_OCTANTS);

const FIRST_SEXTANT = 0x1fb00;
const FIRST_OCTANT = 0x1cd00;

/** Sextants, U+1FB00 to U+1FB3B. */
export function drawSextant(codePoint: number, canvas: Canvas): Picture {
  return ofRectangles(mosaic(SEXTANTS[codePoint - FIRST_SEXTANT] ?? 0, SEXTANT_ROWS, canvas));
}

/** Octants, U+1CD00 to U+1CDE5. */
export function drawOctant(codePoint: number, canvas: Canvas): Picture {
  return ofRectangles(mosaic(OCTANTS[codePoint - FIRST_OCTANT] ?? 0, OCTANT_ROWS, canvas));
}

/** Returns the bits of each character, in the order of code points. */
function withoutOthers(rows: number, others: readonly number[]): number[] {
  return Array.from({ length: 4 ** rows }, (_, bits) => bits).filter((bits) => !others.includes(bits));
}
