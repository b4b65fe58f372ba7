import type { GridSize } from '../../engine/grid.ts';
import { boundSize } from '../../engine/limits.ts';
import type { CellSize } from '../../render/rectangle.ts';
import type { Geometry, Offset } from '../../xresource/geometry.ts';

/** Limits of the protocol for sizes and places. */
const PIXELS_MAX = 32_767;
const OFFSET_MIN = -32_768;
const OFFSET_MAX = 32_767;

export interface PixelSize {
  width: number;
  height: number;
}

/** The parts of a window that determine how many cells it holds. */
export interface CellRoom {
  cell: CellSize;
  /** Padding on each side. */
  internalBorder: number;
  /** Pixels of the width that a scrollbar takes, left or right of the padding. */
  scrollbarWidth?: number;
}

/** Reduces the requested grid to one that a window can have, and reports each cut. */
export function fitSize(
  wanted: GridSize,
  { cell, internalBorder, scrollbarWidth = 0 }: CellRoom,
  warn: (message: string) => void,
): GridSize {
  const most = (cellPixels: number, taken: number): number => Math.floor((PIXELS_MAX - taken) / cellPixels);
  const fitting = boundSize({
    columns: Math.min(wanted.columns, most(cell.width, 2 * internalBorder + scrollbarWidth)),
    rows: Math.min(wanted.rows, most(cell.height, 2 * internalBorder)),
  });
  const cut = (['columns', 'rows'] as const).filter((side) => wanted[side] > fitting[side]);
  if (cut.length > 0) {
    const asked = cut.map((side) => `${wanted[side]} ${side}`).join(' and ');
    warn(`a window of ${asked} is larger than X can show; it gets ${cut.map((side) => fitting[side]).join(' and ')}`);
  }
  return fitting;
}

/** Padding in pixels, reduced so that a cell and a scrollbar beside it still fit. */
export function fitBorder(
  internalBorder: number,
  cell: CellSize,
  warn: (message: string) => void,
  scrollbarWidth = 0,
): number {
  const taken = Math.max(cell.width + scrollbarWidth, cell.height);
  const most = Math.max(0, Math.floor((PIXELS_MAX - taken) / 2));
  if (internalBorder > most) warn(`a padding of ${internalBorder} pixels is larger than X can show; it gets ${most}`);
  return Math.min(internalBorder, most);
}

/** Limits the offsets to those that the protocol can carry. */
export function fitPlace(place: Pick<Geometry, 'x' | 'y'>, warn: (message: string) => void): Pick<Geometry, 'x' | 'y'> {
  const bound = (offset: Offset): Offset => {
    const distance = Math.min(Math.max(OFFSET_MIN, offset.distance), OFFSET_MAX);
    const sign = offset.fromFarEdge ? '-' : '+';
    if (distance !== offset.distance)
      warn(`an offset of ${sign}${offset.distance} is more than X can carry; ${sign}${distance} is used`);
    return { ...offset, distance };
  };
  return {
    ...(place.x !== undefined && { x: bound(place.x) }),
    ...(place.y !== undefined && { y: bound(place.y) }),
  };
}

/**
 * Converts an offset to one from the near edge.
 * @param room pixels between the window and the far edge when it is at the near one
 */
export function nearOffset(offset: Offset | undefined, room: number): number {
  if (offset === undefined) return 0;
  const position = offset.fromFarEdge ? room - offset.distance : offset.distance;
  return Math.min(Math.max(OFFSET_MIN, position), OFFSET_MAX);
}

/** Whole cells that a window has room for, within the protocol's limits. Other clients may announce any size. */
export function gridIn(
  window: { width: number; height: number },
  { cell, internalBorder, scrollbarWidth = 0 }: CellRoom,
): GridSize {
  const cells = (pixels: number, taken: number, cellPixels: number): number =>
    Math.floor((Math.min(pixels, PIXELS_MAX) - taken) / cellPixels);
  return boundSize({
    columns: cells(window.width, 2 * internalBorder + scrollbarWidth, cell.width),
    rows: cells(window.height, 2 * internalBorder, cell.height),
  });
}

/** Pixels of the cells alone, as the child's pty reports them. */
export function areaOf({ columns, rows }: GridSize, cell: CellSize): { width: number; height: number } {
  return { width: columns * cell.width, height: rows * cell.height };
}

/** Size of the window that shows a grid, at most as large as X allows. */
export function windowFor(grid: GridSize, { cell, internalBorder, scrollbarWidth = 0 }: CellRoom): PixelSize {
  const { width, height } = areaOf(grid, cell);
  const bound = (pixels: number): number => Math.min(pixels + 2 * internalBorder, PIXELS_MAX);
  return { width: bound(width + scrollbarWidth), height: bound(height) };
}
