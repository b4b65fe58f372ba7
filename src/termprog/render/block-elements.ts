import type { CellSize, Rectangle } from './rectangle.ts';

/** Quadrants of U+2596 to U+259F: bits upper left 1, upper right 2, lower left 4, lower right 8. */
const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14] as const;
const FIRST_QUADRANT = 0x2596;

/** Of four pixels in a square, how many U+2591 to U+2593 fill. */
const SHADES: Readonly<Record<number, number>> = { 9617: 1, 9618: 2, 9619: 3 };

/** The rectangles of a block element (U+2580 to U+259F) in its cell; undefined for other characters. */
export function drawBlock(codePoint: number, cell: CellSize): Rectangle[] | undefined {
  if (codePoint < 0x2580 || codePoint > 0x259f) return undefined;
  const shade = SHADES[codePoint];
  if (shade !== undefined) return drawShade(shade, cell);
  const quadrants = QUADRANTS[codePoint - FIRST_QUADRANT];
  return quadrants === undefined ? [drawBar(codePoint, cell)] : drawQuadrants(quadrants, cell);
}

/** Bars of eighths from one side. */
function drawBar(codePoint: number, { width, height }: CellSize): Rectangle {
  const eighths = (of: number, count: number): number => Math.round((of * count) / 8);
  if (codePoint === 0x2580) return { x: 0, y: 0, width, height: eighths(height, 4) };
  if (codePoint <= 0x2588) {
    const top = height - eighths(height, codePoint - 0x2580);
    return { x: 0, y: top, width, height: height - top };
  }
  if (codePoint <= 0x258f) return { x: 0, y: 0, width: eighths(width, 0x2590 - codePoint), height };
  if (codePoint === 0x2590) {
    const left = eighths(width, 4);
    return { x: left, y: 0, width: width - left, height };
  }
  if (codePoint === 0x2594) return { x: 0, y: 0, width, height: Math.max(1, eighths(height, 1)) };
  const thin = Math.max(1, eighths(width, 1));
  return { x: width - thin, y: 0, width: thin, height };
}

function drawQuadrants(bits: number, { width, height }: CellSize): Rectangle[] {
  const halfWidth = Math.round(width / 2);
  const halfHeight = Math.round(height / 2);
  return [
    { bit: 1, x: 0, y: 0, width: halfWidth, height: halfHeight },
    { bit: 2, x: halfWidth, y: 0, width: width - halfWidth, height: halfHeight },
    { bit: 4, x: 0, y: halfHeight, width: halfWidth, height: height - halfHeight },
    { bit: 8, x: halfWidth, y: halfHeight, width: width - halfWidth, height: height - halfHeight },
  ].flatMap(({ bit, ...rectangle }) => ((bits & bit) === 0 ? [] : [rectangle]));
}

function drawShade(quarters: number, { width, height }: CellSize): Rectangle[] {
  const pixels: Rectangle[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isLit = quarters === 2 ? (x + y) % 2 === 0 : (x % 2 === 0 && y % 2 === 0) === (quarters === 1);
      if (isLit) pixels.push({ x, y, width: 1, height: 1 });
    }
  }
  return pixels;
}
