import { type Canvas, ofPolygons, type Picture, type Polygon, type Vertex } from './picture.ts';
import { cutPolygon, strokeLine } from './polygon.ts';

type Corner = 'lower right' | 'lower left' | 'upper left' | 'upper right';

const FILLED: Readonly<Record<number, Corner>> = {
  9698: 'lower right',
  9699: 'lower left',
  9700: 'upper left',
  9701: 'upper right',
};
const OUTLINED: Readonly<Record<number, Corner>> = {
  9720: 'upper left',
  9721: 'upper right',
  9722: 'lower left',
  9727: 'lower right',
};

/** Corner triangles, U+25E2 to U+25E5, and their outlines, U+25F8 to U+25FA and U+25FF. */
export function drawCornerTriangle(codePoint: number, canvas: Canvas): Picture | undefined {
  const filled = FILLED[codePoint];
  if (filled !== undefined) return ofPolygons([cornerTriangle(filled, canvas)]);
  const outlined = OUTLINED[codePoint];
  return outlined && ofPolygons(outlineOf(cornerTriangle(outlined, canvas), canvas));
}

/** Returns half of the cell: the corner, and the two corners next to it. */
export function cornerTriangle(corner: Corner, { width, height }: Canvas): Polygon {
  const x = corner.endsWith('left') ? 0 : width;
  const y = corner.startsWith('upper') ? 0 : height;
  return [
    [x, y],
    [width - x, y],
    [x, height - y],
  ];
}

/** Returns lines along the inside of a convex polygon's edges. */
function outlineOf(polygon: Polygon, { thickness }: Canvas): Polygon[] {
  const middle: Vertex = [mean(polygon, 0), mean(polygon, 1)];
  return polygon.map((from, index) => {
    const to = polygon[(index + 1) % polygon.length] ?? from;
    // Half of a line of double width lies inside; the other half is cut off, also at the slanted edge.
    const wide = strokeLine(from, to, 2 * thickness);
    return polygon.reduce<Polygon>((part, corner, at) => {
      return cutPolygon(part, [corner, polygon[(at + 1) % polygon.length] ?? corner], middle);
    }, wide);
  });
}

function mean(polygon: Polygon, coordinate: 0 | 1): number {
  return polygon.reduce((sum, point) => sum + point[coordinate], 0) / polygon.length;
}
