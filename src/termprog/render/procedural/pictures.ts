import type { CellSize, Rectangle } from '../rectangle.ts';
import { canvasOf } from './canvas.ts';
import type { Canvas, Picture } from './picture.ts';
import { fillPolygon } from './polygon.ts';
import { RANGES } from './ranges.ts';

/** Returns the ink of a character in a cell; undefined, in every cell, for characters that are left to fonts. */
export function pictureOf(codePoint: number, canvas: Canvas): Picture | undefined {
  const range = RANGES.find(({ first, last }) => codePoint >= first && codePoint <= last);
  return range?.draw(codePoint, canvas);
}

const FIRST = RANGES[0]?.first ?? 0;
const SMALLEST: Canvas = { width: 1, height: 1, stroke: 1, thickness: 1, grain: 1 };

/** Whether a character is drawn from the geometry of its cell. */
export function isProcedural(codePoint: number): boolean {
  return codePoint >= FIRST && pictureOf(codePoint, SMALLEST) !== undefined;
}

/** Returns the pixels of a character as rectangles in its cell; undefined for characters that are left to fonts. */
export function rectanglesOf(codePoint: number, cell: CellSize, isBold: boolean): readonly Rectangle[] | undefined {
  if (codePoint < FIRST) return undefined;
  const canvas = canvasOf(cell, isBold);
  const picture = pictureOf(codePoint, canvas);
  if (picture === undefined || picture.polygons.length === 0) return picture?.rectangles;
  return [...picture.rectangles, ...picture.polygons.flatMap((polygon) => fillPolygon(polygon, canvas))];
}
