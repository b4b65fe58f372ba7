import type { Parameters } from './parameters.ts';
import type { Screen } from './screen.ts';

/** Rows and columns of an area, including both ends. */
export interface CellArea {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/**
 * Returns the part of the screen that applications address: all of it, or the part inside the margins in origin mode.
 */
export function addressableArea({ isOrigin, margins, rows, columns }: Screen): CellArea {
  return isOrigin ? { ...margins } : { top: 0, left: 0, bottom: rows - 1, right: columns - 1 };
}

/**
 * Returns an area given by four parameters from `index` on: top, left, bottom and right, counted from 1, cut to what
 * can be addressed; undefined if it is empty.
 */
export function areaFrom(screen: Screen, parameters: Parameters, index: number): CellArea | undefined {
  const area = cornersFrom(screen, parameters, index);
  return area !== undefined && area.left > area.right ? undefined : area;
}

/** Returns the same for cells in reading order from the first corner to the last, which may be further left. */
export function streamFrom(screen: Screen, parameters: Parameters, index: number): CellArea | undefined {
  const area = cornersFrom(screen, parameters, index);
  return area !== undefined && area.top === area.bottom && area.left > area.right ? undefined : area;
}

function cornersFrom(screen: Screen, parameters: Parameters, index: number): CellArea | undefined {
  const limits = addressableArea(screen);
  const last = (at: number): number => (parameters.at(at) || Number.POSITIVE_INFINITY) - 1;
  const top = limits.top + parameters.count(index) - 1;
  const left = limits.left + parameters.count(index + 1) - 1;
  const bottom = Math.min(limits.bottom, limits.top + last(index + 2));
  const right = Math.min(limits.right, limits.left + last(index + 3));
  return top > bottom || left > limits.right ? undefined : { top, left, bottom, right };
}
