import { type Bands, crossOf } from './bands.ts';
import { drawArms, LIGHT, NONE } from './box-arms.ts';
import { between, type Canvas, ofRectangles, type Picture } from './picture.ts';
import { ellipse } from './polygon.ts';

/** Draws a round corner of light lines, with the largest radius that the shorter side of the cell permits. */
export function drawArc({ right, down }: { right: boolean; down: boolean }, canvas: Canvas): Picture {
  const { x, y } = crossOf(canvas);
  const radius = Math.min(roomOf(x, right), roomOf(y, down));
  const thickness = x.light.end - x.light.start;
  if (radius <= thickness) {
    return ofRectangles(
      drawArms([down ? NONE : LIGHT, right ? LIGHT : NONE, down ? LIGHT : NONE, right ? NONE : LIGHT], canvas),
    );
  }
  // The centre of the circle lies on the side of the arms.
  const middle = [middleOf(x) + (right ? radius : -radius), middleOf(y) + (down ? radius : -radius)] as const;
  const from = right ? 2 : 0;
  const to = from + (right === down ? 1 : -1);
  const outer = radius + thickness / 2;
  const inner = radius - thickness / 2;
  const ring = [
    ...ellipse(middle, { x: outer, y: outer }, from, to),
    ...ellipse(middle, { x: inner, y: inner }, to, from),
  ];
  const straight = [
    right
      ? between(Math.floor(middle[0]), y.light.start, canvas.width, y.light.end)
      : between(0, y.light.start, Math.ceil(middle[0]), y.light.end),
    down
      ? between(x.light.start, Math.floor(middle[1]), x.light.end, canvas.height)
      : between(x.light.start, 0, x.light.end, Math.ceil(middle[1])),
  ];
  return { rectangles: straight.filter(({ width, height }) => width > 0 && height > 0), polygons: [ring] };
}

const middleOf = ({ light }: Bands): number => (light.start + light.end) / 2;

/** Returns the pixels from the middle line to the edge of the cell. */
function roomOf(bands: Bands, isTowardsEnd: boolean): number {
  return isTowardsEnd ? bands.size - middleOf(bands) : middleOf(bands);
}
