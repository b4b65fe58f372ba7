import { bandAt, placeOf } from './bands.ts';
import { between, type Canvas, ofRectangles, type Picture } from './picture.ts';

/** Where the reference terminal draws the scan lines 1, 3, 7 and 9 of the VT100, on its grid of 60 units. */
const UNITS = [0, 15, 45, 60] as const;
const FIRST = 0x23ba;

/** Horizontal scan lines, U+23BA to U+23BD. */
export function drawScanLine(codePoint: number, { width, height, thickness }: Canvas): Picture {
  const unit = UNITS[codePoint - FIRST] ?? 0;
  const { start, end } = bandAt(placeOf(unit, height) - Math.floor(thickness / 2), thickness, height);
  return ofRectangles([between(0, start, width, end)]);
}
