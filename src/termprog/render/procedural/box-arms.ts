import type { Rectangle } from '../rectangle.ts';
import { type Band, type Bands, crossOf } from './bands.ts';
import { between, type Canvas } from './picture.ts';

/** Weights of an arm. */
export const NONE = 0;
export const LIGHT = 1;
export const HEAVY = 2;
export const DOUBLE = 3;

/** The weights of the four arms that meet in the middle of a cell. */
export type Arms = readonly [up: number, right: number, down: number, left: number];

/** Two opposite arms, and those that cross them. */
interface Crossing {
  /** Bands along the arms: the positions of crossing lines. */
  along: Bands;
  /** Bands across the arms: the positions of the arms themselves. */
  across: Bands;
  /** Weights of the arms towards the cell's first pixels and towards its last ones. */
  first: number;
  last: number;
  /** Weights of the crossing arms: `before` towards the first pixels, `after` towards the last. */
  before: number;
  after: number;
}

/** A part of a line, along it and across it. */
interface Stroke {
  along: Band;
  across: Band;
}

export function drawArms([up, right, down, left]: Arms, canvas: Canvas): Rectangle[] {
  const { x, y } = crossOf(canvas);
  const horizontal = { along: x, across: y, first: left, last: right, before: up, after: down };
  const vertical = { along: y, across: x, first: up, last: down, before: left, after: right };
  return [
    ...strokesOf(vertical).map(({ along, across }) => between(across.start, along.start, across.end, along.end)),
    ...strokesOf(horizontal).map(({ along, across }) => between(along.start, across.start, along.end, across.end)),
  ];
}

function strokesOf(crossing: Crossing): Stroke[] {
  const { along, across, first, last } = crossing;
  return [
    ...linesOf(first, across).map(({ line, side }) => ({
      along: { start: 0, end: middleOf(crossing, side, first, last !== NONE).end },
      across: line,
    })),
    ...linesOf(last, across).map(({ line, side }) => ({
      along: { start: middleOf(crossing, side, last, first !== NONE, true).start, end: along.size },
      across: line,
    })),
  ].filter(({ along: { start, end } }) => end > start);
}

type Side = 'low' | 'high' | 'only';

function linesOf(weight: number, across: Bands): { line: Band; side: Side }[] {
  if (weight === NONE) return [];
  if (weight === DOUBLE) {
    return [
      { line: across.low, side: 'low' },
      { line: across.high, side: 'high' },
    ];
  }
  return [{ line: weight === HEAVY ? across.heavy : across.light, side: 'only' }];
}

/**
 * Returns the crossing lines at which a line ends, so that corners are whole and double lines leave the space between
 * their strokes free.
 * @param goesOn whether the opposite arm continues the line
 * @param isLast whether the line comes from the cell's last pixels
 */
function middleOf(
  { along, before, after }: Crossing,
  side: Side,
  weight: number,
  goesOn: boolean,
  isLast = false,
): Band {
  const near = isLast ? along.high : along.low;
  const far = isLast ? along.low : along.high;
  if (before !== DOUBLE && after !== DOUBLE) return singleMiddle(along, before, after);
  if (weight !== DOUBLE) return before === after && !goesOn ? near : far;
  // A stroke of a double line ends at the first crossing stroke on its own side, and otherwise goes round the corner.
  return (side === 'low' ? before : after) === DOUBLE ? near : far;
}

function singleMiddle({ light, heavy }: Bands, before: number, after: number): Band {
  return before === HEAVY || after === HEAVY ? heavy : light;
}
