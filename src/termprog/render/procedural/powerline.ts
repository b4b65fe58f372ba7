import { cornerTriangle } from './corner-triangles.ts';
import { drawDiagonals } from './diagonals.ts';
import { type Canvas, ofPolygons, type Picture, type Vertex } from './picture.ts';
import { ellipse, strokeLine } from './polygon.ts';

type Side = 'left' | 'right';

const FALLING = [
  [0, 0],
  [2, 2],
] as const;
const RISING = [
  [0, 2],
  [2, 0],
] as const;

/** Separators, U+E0B0 to U+E0BF: filled and thin ones alternate. */
const SEPARATORS: readonly ((canvas: Canvas) => Picture)[] = [
  (canvas) => ofPolygons([arrow('right', canvas)]),
  (canvas) => ofPolygons(arrowLines('right', canvas)),
  (canvas) => ofPolygons([arrow('left', canvas)]),
  (canvas) => ofPolygons(arrowLines('left', canvas)),
  (canvas) => ofPolygons([bow('right', canvas, 0)]),
  (canvas) => ofPolygons([bowLine('right', canvas)]),
  (canvas) => ofPolygons([bow('left', canvas, 0)]),
  (canvas) => ofPolygons([bowLine('left', canvas)]),
  (canvas) => ofPolygons([cornerTriangle('lower left', canvas)]),
  (canvas) => drawDiagonals([FALLING], canvas),
  (canvas) => ofPolygons([cornerTriangle('lower right', canvas)]),
  (canvas) => drawDiagonals([RISING], canvas),
  (canvas) => ofPolygons([cornerTriangle('upper left', canvas)]),
  (canvas) => drawDiagonals([RISING], canvas),
  (canvas) => ofPolygons([cornerTriangle('upper right', canvas)]),
  (canvas) => drawDiagonals([FALLING], canvas),
];

const FIRST = 0xe0b0;

/** Powerline separators, U+E0B0 to U+E0BF. */
export function drawPowerline(codePoint: number, canvas: Canvas): Picture | undefined {
  return SEPARATORS[codePoint - FIRST]?.(canvas);
}

/** Returns a triangle over the whole cell with its tip on the named side. */
function arrow(tip: Side, { width, height }: Canvas): Vertex[] {
  const [base, end] = tip === 'right' ? [0, width] : [width, 0];
  return [
    [base, 0],
    [end, height / 2],
    [base, height],
  ];
}

function arrowLines(tip: Side, canvas: Canvas): readonly (readonly Vertex[])[] {
  const { width, thickness } = canvas;
  // The tip lies inside the cell with its whole thickness.
  const room = Math.min(thickness / 2, width / 2);
  const [top, end, bottom] = arrow(tip, canvas).map(([x, y], index): Vertex => {
    if (index !== 1) return [x, y];
    return [tip === 'right' ? x - room : x + room, y];
  });
  if (top === undefined || end === undefined || bottom === undefined) return [];
  return [strokeLine(top, end, thickness), strokeLine(end, bottom, thickness)];
}

/** Returns half of an ellipse that bulges to the named side, smaller by `inset` pixels. */
function bow(bulge: Side, { width, height }: Canvas, inset: number): Vertex[] {
  const radius = { x: Math.max(0, width - inset), y: Math.max(0, height / 2 - inset) };
  return bulge === 'right' ? ellipse([0, height / 2], radius, -1, 1) : ellipse([width, height / 2], radius, 1, 3);
}

function bowLine(bulge: Side, canvas: Canvas): Vertex[] {
  return [...bow(bulge, canvas, 0), ...bow(bulge, canvas, canvas.thickness).reverse()];
}
