import { UNDERLINE } from '../engine/cell.ts';
import type { Graphics } from './graphics.ts';
import type { TextStyle } from './text-style.ts';

/**
 * Lines are one pixel thick below twice this cell height, and one pixel thicker with each further multiple. ours:
 * decision 108
 */
const HEIGHT_PER_THICKNESS = 20;

/** Positions of lines in a cell, in pixels from its top. */
export interface LineMetrics {
  cellWidth: number;
  cellHeight: number;
  thickness: number;
  /** Top of a single underline. */
  underline: number;
  /** Tops of the two lines of a double underline. */
  double: readonly [number, number];
  /** Top of a line through the text. */
  strike: number;
  /** One period of a curly underline, which is a cell: the top of each column of pixels. */
  curl: Uint16Array;
}

/** The run's place in the window; `left` is the start of the first cell of its row. */
interface Place {
  x: number;
  y: number;
  width: number;
  left: number;
}

/** @param metrics of the font: rows of pixels above the baseline and below, and the width of a cell */
export function lineMetricsOf(metrics: { ascent: number; descent: number; cellWidth: number }): LineMetrics {
  const { ascent, descent, cellWidth } = metrics;
  const cellHeight = ascent + descent;
  const thickness = Math.max(1, Math.floor(cellHeight / HEIGHT_PER_THICKNESS));
  const lowest = cellHeight - thickness;
  // Lines of one pixel are where the reference terminal draws them.
  const inside = (top: number): number => Math.max(0, Math.min(top, lowest));
  const underline = inside(descent > 1 ? ascent + thickness : ascent);
  const second = inside(underline + 2 * thickness);
  return {
    cellWidth,
    cellHeight,
    thickness,
    underline,
    double: [inside(second - 2 * thickness), second],
    strike: inside(ascent - Math.floor((3 * ascent) / 8) - (thickness >> 1)),
    curl: curlOf({ cellWidth, bottom: cellHeight, thickness, height: descent }),
  };
}

/** Returns a wave with its crests at both ends of the cell, so that it continues in the next. */
function curlOf(cell: { cellWidth: number; bottom: number; thickness: number; height: number }): Uint16Array {
  const { cellWidth, bottom, thickness } = cell;
  // The wave is as high as the room below the baseline permits, but not so steep that it would become a smear.
  const height = Math.max(2 * thickness + 1, Math.min(cell.height, Math.ceil(cellWidth / 3) + thickness));
  const swing = (height - thickness) / 2;
  const middle = bottom - height + swing;
  return Uint16Array.from({ length: cellWidth }, (_, column) =>
    Math.max(0, Math.round(middle - swing * Math.cos((2 * Math.PI * (column + 0.5)) / cellWidth))),
  );
}

/** Draws the lines through the text of a run, and above and below it. */
export function paintTextLines(graphics: Graphics, style: TextStyle, metrics: LineMetrics, place: Place): void {
  const { x, y, width } = place;
  const { thickness } = metrics;
  const { foreground } = style;
  if (style.underline !== UNDERLINE.none) paintUnderline(graphics, style, metrics, place);
  if (style.isStruckThrough) graphics.fillInk(foreground, x, y + metrics.strike, width, thickness);
  if (style.isOverlined) graphics.fillInk(foreground, x, y, width, thickness);
}

function paintUnderline(
  graphics: Graphics,
  { underline, lineColor }: TextStyle,
  metrics: LineMetrics,
  place: Place,
): void {
  const { thickness, double } = metrics;
  const line = (top: number): void => graphics.fillInk(lineColor, place.x, place.y + top, place.width, thickness);
  switch (underline) {
    case UNDERLINE.double:
      for (const top of double) line(top);
      break;
    case UNDERLINE.curly:
      paintCurl(graphics, lineColor, metrics, place);
      break;
    case UNDERLINE.dotted:
      paintPieces(graphics, lineColor, metrics, place, { length: thickness, period: 2 * thickness });
      break;
    case UNDERLINE.dashed:
      paintPieces(graphics, lineColor, metrics, place, dashOf(metrics));
      break;
    default:
      line(metrics.underline);
  }
}

/** Returns one dash per cell, a little longer than the gap after it. */
function dashOf({ cellWidth }: LineMetrics): { length: number; period: number } {
  return { length: Math.ceil((2 * cellWidth) / 3), period: cellWidth };
}

/** Draws pieces of a line, counted from the start of the row, so that those of neighbouring runs join. */
function paintPieces(
  graphics: Graphics,
  color: number,
  { underline, thickness }: LineMetrics,
  { x, y, width, left }: Place,
  { length, period }: { length: number; period: number },
): void {
  const end = x + width;
  for (let start = x - ((x - left) % period); start < end; start += period) {
    const from = Math.max(start, x);
    const to = Math.min(start + length, end);
    if (to > from) graphics.fillInk(color, from, y + underline, to - from, thickness);
  }
}

/** Draws the curl: adjacent columns of equal height become one rectangle. */
function paintCurl(graphics: Graphics, color: number, metrics: LineMetrics, { x, y, width, left }: Place): void {
  const { curl, cellWidth, thickness } = metrics;
  const topOf = (column: number): number => curl[(column - left) % cellWidth] ?? 0;
  for (let column = x; column < x + width; ) {
    const top = topOf(column);
    let end = column + 1;
    while (end < x + width && topOf(end) === top) end += 1;
    graphics.fillInk(color, column, y + top, end - column, thickness);
    column = end;
  }
}
