import type { Rgb } from '../color/parse-color.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { type Area, type MenuLayout, type PlacedEntry, type PlacedRow, trackOf } from './menu-layout.ts';
import type { MenuTargets } from './menu-targets.ts';
import type { LabelLook, MenuLook } from './resources/menu-look.ts';

/** The check mark, as the reference terminal draws it. */
const CHECK_MARK = [
  '........#',
  '.......##',
  '......##.',
  '.....##..',
  '#...##...',
  '##.##....',
  '.###.....',
  '..#......',
] as const;
const CHECK_WIDTH = CHECK_MARK[0].length;
const CHECK_HEIGHT = CHECK_MARK.length;

/** Fill styles of a graphics context; X11 protocol, CreateGC. */
const SOLID = 0;
const TILED = 1;

/** Side of the tile that greys text. */
const TILE = 2;

export interface PainterParts {
  connection: XConnection;
  window: number;
  depth: number;
  look: MenuLook;
  layout: MenuLayout;
  targets: MenuTargets;
  /** Returns the pixel value of a colour. */
  pixel(color: Rgb): number;
}

/**
 * Draws a menu's window by requests of the core protocol. It owns a graphics context and the tiles of grey text until
 * `close`.
 */
export class MenuPainter {
  readonly #parts: PainterParts;
  readonly #gc: number;
  /** Pixel of the text → tile in which every other pixel is the background's. */
  readonly #tiles = new Map<number, number>();

  constructor(parts: PainterParts) {
    const { connection, window } = parts;
    this.#parts = parts;
    this.#gc = connection.client.AllocID();
    connection.client.CreateGC(this.#gc, window, { graphicsExposures: 0 });
  }

  paint(active: PlacedEntry | undefined): void {
    const { connection, window, look, layout } = this.#parts;
    connection.client.ClearArea(window, 0, 0, 0, 0, 0);
    this.#paintTitle(look.title, layout.title);
    for (const row of layout.rows) this.paintRow(row, row === active);
  }

  paintRow(row: PlacedRow, isActive: boolean): void {
    const { look, pixel } = this.#parts;
    const background = pixel(look.background);
    const foreground = pixel(row.look.foreground);
    if (row.kind === 'line') {
      const { area, look: line } = row;
      this.#fill(foreground, [{ ...area, y: area.y + ((area.height - line.width) >> 1), height: line.width }]);
      return;
    }
    this.#fill(isActive ? foreground : background, [row.area]);
    this.#paintEntry(row, isActive ? background : foreground);
  }

  /** @returns the ids that become free */
  close(): number[] {
    const { client } = this.#parts.connection;
    client.FreeGC(this.#gc);
    for (const tile of this.#tiles.values()) client.FreePixmap(tile);
    return [this.#gc, ...this.#tiles.values()];
  }

  #paintTitle(title: LabelLook, area: Area): void {
    const room = area.width - title.leftMargin - title.rightMargin;
    const x = area.x + title.leftMargin + ((room - title.width) >> 1);
    this.#text(title, x, area, this.#parts.pixel(title.foreground));
  }

  #paintEntry(row: PlacedEntry, ink: number): void {
    const { look, area } = row;
    const { entry } = look;
    const isSensitive = entry.isSensitive(this.#parts.targets);
    this.#text(look, area.x + look.leftMargin, area, ink, !isSensitive);
    if (entry.isChecked(this.#parts.targets) && look.leftMargin < area.width) {
      this.#fill(
        ink,
        checkMark(area.x + ((look.leftMargin - CHECK_WIDTH) >> 1), area.y + ((area.height - CHECK_HEIGHT) >> 1)),
      );
    }
    const value = entry.value?.(this.#parts.targets);
    if (value !== undefined) this.#paintTrack(trackOf(row), value, { ink, isSensitive });
  }

  /** Draws a frame that is filled up to the value. */
  #paintTrack(track: Area, value: number, { ink, isSensitive }: { ink: number; isSensitive: boolean }): void {
    const { connection, window } = this.#parts;
    this.#setInk(ink, !isSensitive);
    const { x, y, width, height } = track;
    connection.client.PolyRectangle(window, this.#gc, [x, y, width - 1, height - 1]);
    const filled = Math.round(value * width);
    if (filled > 0) connection.client.PolyFillRectangle(window, this.#gc, [x, y, filled, height]);
  }

  #text({ runs, ascent, descent }: LabelLook, left: number, area: Area, ink: number, isGrey = false): void {
    const { connection, window } = this.#parts;
    const baseline = area.y + ((area.height - (ascent + descent)) >> 1) + ascent;
    this.#setInk(ink, isGrey);
    let x = left;
    for (const { font, codes, width } of runs) {
      if (x >= area.x + area.width) return;
      connection.client.ChangeGC(this.#gc, { font });
      connection.client.PolyText16(window, this.#gc, x, baseline, [codes]);
      x += width;
    }
  }

  #fill(pixel: number, areas: readonly Area[]): void {
    const { connection, window } = this.#parts;
    this.#setInk(pixel, false);
    connection.client.PolyFillRectangle(
      window,
      this.#gc,
      areas.flatMap(({ x, y, width, height }) => [x, y, width, height]),
    );
  }

  #setInk(pixel: number, isGrey: boolean): void {
    const { client } = this.#parts.connection;
    client.ChangeGC(
      this.#gc,
      isGrey ? { fillStyle: TILED, tile: this.#tileOf(pixel) } : { foreground: pixel, fillStyle: SOLID },
    );
  }

  #tileOf(pixel: number): number {
    const known = this.#tiles.get(pixel);
    if (known !== undefined) return known;
    const { connection, window, depth, look, pixel: pixelOf } = this.#parts;
    const { client } = connection;
    const tile = client.AllocID();
    client.CreatePixmap(tile, window, depth, TILE, TILE);
    client.ChangeGC(this.#gc, { foreground: pixelOf(look.background), fillStyle: SOLID });
    client.PolyFillRectangle(tile, this.#gc, [0, 0, TILE, TILE]);
    client.ChangeGC(this.#gc, { foreground: pixel });
    client.PolyFillRectangle(tile, this.#gc, [1, 0, 1, 1, 0, 1, 1, 1]);
    this.#tiles.set(pixel, tile);
    return tile;
  }
}

/** Returns the areas of the check mark's ink. */
function checkMark(left: number, top: number): Area[] {
  return CHECK_MARK.flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(({ index, 0: ink }) => ({
      x: left + index,
      y: top + y,
      width: ink.length,
      height: 1,
    })),
  );
}
