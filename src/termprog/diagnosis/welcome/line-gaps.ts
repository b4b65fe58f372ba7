import { cellSizeOf } from '../../fonts/outline/cell-size.ts';
import type { Face } from '../../fonts/outline/face.ts';

/** The box drawing line that must reach from the top of its cell to the bottom. */
const VERTICAL_LINE = 0x2502;

/** Share of the line's own coverage below which its end looks like a gap. */
const GAP_SHARE = 0.75;

/** Whether the face's box drawing lines have gaps between rows; true if it lacks them. */
export function hasLineGaps(face: Face): boolean {
  const glyph = face.glyphOf(VERTICAL_LINE);
  const image = glyph === 0 ? undefined : face.rasterize(glyph);
  if (image === undefined) return true;
  const { ascent, height } = cellSizeOf(face);
  const rowBytes = image.pixels.length / Math.max(1, image.height);
  const coverageAt = (cellRow: number): number => {
    const row = cellRow - (ascent - image.top);
    if (row < 0 || row >= image.height) return 0;
    return Math.max(...image.pixels.subarray(row * rowBytes, (row + 1) * rowBytes));
  };
  const least = GAP_SHARE * coverageAt(Math.floor(height / 2));
  return Math.min(coverageAt(0), coverageAt(height - 1)) < least;
}
