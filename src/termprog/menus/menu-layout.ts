import type { EntryLook, LabelLook, LineLook, MenuLook } from './resources/menu-look.ts';

/** An area in pixels, from the corner of the menu inside its border. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedEntry {
  kind: 'entry';
  look: EntryLook;
  area: Area;
}

export interface PlacedLine {
  kind: 'line';
  look: LineLook;
  area: Area;
}

export type PlacedRow = PlacedEntry | PlacedLine;

/** Positions of a menu's parts. */
export interface MenuLayout {
  width: number;
  height: number;
  title: Area;
  /** Rows from top to bottom, column by column. */
  rows: readonly PlacedRow[];
}

/** Width of a slider's track beside its label. */
const TRACK_WIDTH = 60;

/** Widest menu: coordinates in a window, and its own on the screen, are signed numbers of 16 bits. */
const WIDTH_MAX = 32_000;

/** Base of percentages of a label's font height. */
const WHOLE = 100;

/** Largest side of a window in pixels: drawing coordinates have 15 bits. */
const SIDE_MAX = 32_767;

type Row = { look: EntryLook; kind: 'entry' } | { look: LineLook; kind: 'line' };

/**
 * Places a menu's rows below its title as SimpleMenu does: in columns of equal width if the screen is not high enough
 * for one.
 * @param screenHeight in pixels
 * @throws RangeError for a menu that no window can hold
 */
export function layOut(look: MenuLook, screenHeight: number): MenuLayout {
  const { title, groups, lines, leftMargin, rightMargin, topMargin, bottomMargin } = look;
  const rows = groups.flatMap((group, index): Row[] => {
    const line = lines[index - 1];
    const entries = group.map((each): Row => ({ look: each, kind: 'entry' }));
    return line === undefined || index === 0 ? entries : [{ look: line, kind: 'line' }, ...entries];
  });
  const titleHeight = heightOf(title);
  const top = topMargin + titleHeight;
  const heightMax = screenHeight - 2 * look.borderWidth - top - bottomMargin;
  const columns = inColumns(rows, (row) => rowHeight(row, look), heightMax);
  const widthMax = WIDTH_MAX - leftMargin - rightMargin;
  // Longer labels are cut.
  const columnMax = Math.max(1, Math.floor(widthMax / columns.length));
  const widths = columns.map((column) => Math.min(columnMax, Math.max(...column.map(widthOf))));
  const inner = widths.reduce((sum, width) => sum + width, 0);
  const titleWidth = Math.min(widthMax, title.width + title.leftMargin + title.rightMargin);
  const more = Math.max(0, titleWidth - inner) / columns.length;
  const placed: PlacedRow[] = [];
  let x = leftMargin;
  let bottom = 0;
  for (const [index, column] of columns.entries()) {
    const width = (widths[index] ?? 0) + Math.floor(more);
    let y = top;
    for (const row of column) {
      const height = rowHeight(row, look);
      placed.push({ ...row, area: { x, y, width, height } });
      y += height;
    }
    bottom = Math.max(bottom, y);
    x += width;
  }
  const width = Math.max(1, Math.max(inner, titleWidth) + leftMargin + rightMargin);
  const height = Math.max(1, bottom + bottomMargin);
  if (Math.max(width, height) > SIDE_MAX) {
    throw new RangeError(`its ${width}x${height} pixels are more than the ${SIDE_MAX} of a window`);
  }
  return {
    width,
    height,
    // The title's margins are counted from the edge of the menu.
    title: { x: 0, y: topMargin, width: Math.max(inner, titleWidth), height: titleHeight },
    rows: placed,
  };
}

function inColumns(rows: readonly Row[], heightOfRow: (row: Row) => number, heightMax: number): Row[][] {
  const columns: Row[][] = [[]];
  let height = 0;
  for (const row of rows) {
    const column = columns.at(-1);
    if (column !== undefined && column.length > 0 && height + heightOfRow(row) > heightMax) {
      columns.push([row]);
      height = heightOfRow(row);
    } else {
      column?.push(row);
      height += heightOfRow(row);
    }
  }
  return columns;
}

function heightOf({ ascent, descent, vertSpace }: LabelLook): number {
  return Math.floor(((ascent + descent) * (WHOLE + vertSpace)) / WHOLE);
}

/** Returns a row's height, at least one pixel, so that it can be pointed at. */
function rowHeight(row: Row, look: MenuLook): number {
  if (look.rowHeight > 0) return look.rowHeight;
  return Math.max(1, row.kind === 'line' ? row.look.width : heightOf(row.look));
}

function widthOf(row: Row): number {
  if (row.kind === 'line') return 1;
  const { width, leftMargin, rightMargin, entry } = row.look;
  return leftMargin + width + rightMargin + (entry.kind === 'slider' ? TRACK_WIDTH + rightMargin : 0);
}

/** Returns the area of a slider's bar: after its label, up to the right margin. */
export function trackOf({ look, area }: PlacedEntry): Area {
  const x = Math.min(area.x + look.leftMargin + look.width + look.rightMargin, area.x + area.width - 1);
  const height = Math.max(1, Math.min(look.ascent, area.height - 4));
  const width = Math.max(1, area.x + area.width - look.rightMargin - x);
  return { x, y: area.y + ((area.height - height) >> 1), width, height };
}

export function contains({ x, y, width, height }: Area, place: { x: number; y: number }): boolean {
  return place.x >= x && place.x < x + width && place.y >= y && place.y < y + height;
}

/**
 * Returns the corner of the window in pixels of the screen: the middle of the title is under the pointer, and the menu
 * is on the screen if possible.
 */
export function placeMenu(
  { width, height, title }: MenuLayout,
  borderWidth: number,
  pointer: { x: number; y: number },
  screen: { width: number; height: number },
): { x: number; y: number } {
  const onScreen = (at: number, size: number, most: number): number => Math.max(0, Math.min(at, most - size));
  return {
    x: onScreen(pointer.x - (width >> 1), width + 2 * borderWidth, screen.width),
    y: onScreen(pointer.y - (title.y + (title.height >> 1)), height + 2 * borderWidth, screen.height),
  };
}
