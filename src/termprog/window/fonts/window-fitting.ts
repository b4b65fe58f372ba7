import type { CellSize } from '../../render/rectangle.ts';
import type { XConnection } from '../../x11/connection.ts';
import { type CellRoom, type GridSize, gridIn, type PixelSize, windowFor } from '../fit-geometry.ts';

/** How long a window manager may take to give the window its size before the server is asked which one it has. */
const ANSWER_MAX_MS = 300;

/** Sizes that may come later than that; managers that never give any are asked for more and more of them. */
const LATE_MAX = 16;

export interface WindowFittingParts {
  connection: Pick<XConnection, 'isOpen' | 'client' | 'flush' | 'ask'>;
  window: number;
  internalBorder: number;
  /** Pixels of the width that a scrollbar takes now; 0 without one. */
  scrollbarWidth?(): number;
  /** That of the fonts in use. */
  cell(): CellSize;
  grid(): GridSize;
  /** Tells window managers the size that the window should have. */
  tellManagers(): void;
  /** The window has room for another number of cells. */
  onGrid(grid: GridSize): void;
}

/**
 * Makes the grid fit the window, and after a change of the cell the window fit the grid. While an answer to that is
 * awaited, sizes that differ from the requested one change nothing: they may be older than the request. A window manager
 * that refuses the size has the last word. One that is slow gives a size later, perhaps after the next request: until the
 * window has a size that nobody here asked for, further requests are about the grid of the first one.
 * ours: decisions/0107
 */
export class WindowFitting {
  readonly #parts: WindowFittingParts;
  #size: PixelSize;
  #request: { size: PixelSize; settled: PromiseWithResolvers<void>; timer: NodeJS.Timeout } | undefined;
  /** The grid that the window has no size for yet, and the sizes that were asked for it, the oldest first. */
  #wanted: { grid: GridSize; sizes: PixelSize[] } | undefined;
  #isStopped = false;

  constructor(parts: WindowFittingParts) {
    this.#parts = parts;
    this.#size = windowFor(parts.grid(), this.#room);
  }

  /** The size of the window, as far as it is known. */
  get size(): PixelSize {
    return this.#size;
  }

  /** The window has a size. */
  takeSize(size: PixelSize): void {
    this.#note(size);
    const request = this.#request;
    if (request === undefined) this.#follow();
    else if (isSame(size, request.size)) this.#settle();
  }

  /** The cell has changed, or what stands beside the cells. Resolves when the window has the size for the grid, or has refused it. */
  fitWindow(): Promise<void> {
    const { connection, window, tellManagers } = this.#parts;
    if (this.#isStopped || !connection.isOpen) return Promise.resolve();
    this.#settle();
    tellManagers();
    const { grid = this.#parts.grid(), sizes = [] } = this.#wanted ?? {};
    const size = windowFor(grid, this.#room);
    if (isSame(size, this.#size)) {
      this.#follow();
      // Else another size may still come, and this one is asked for behind it.
      if (sizes.length === 0) return Promise.resolve();
    }
    this.#wanted = { grid, sizes: [...sizes, size].slice(-LATE_MAX) };
    connection.client.ConfigureWindow(window, { ...size });
    connection.flush();
    const settled = Promise.withResolvers<void>();
    const timer = setTimeout(() => void this.#askSize(), ANSWER_MAX_MS);
    this.#request = { size, settled, timer };
    return settled.promise;
  }

  /** The grid may follow the window again, which it did not when it was asked to. */
  resume(): void {
    if (this.#request === undefined) this.#follow();
  }

  /** Nothing is followed any more. */
  stop(): void {
    this.#isStopped = true;
    this.#settle();
  }

  /** A window manager that refuses sends only an event of its own, or none. */
  async #askSize(): Promise<void> {
    const { connection, window } = this.#parts;
    const request = this.#request;
    const size = await connection
      .ask<PixelSize>('the size of the window', (client, reply) => client.GetGeometry(window, reply))
      // Without a window or a connection everything ends; that is reported elsewhere.
      .catch(() => undefined);
    if (request !== this.#request) return;
    if (size !== undefined) this.#note({ width: size.width, height: size.height });
    this.#settle();
  }

  /** A size that nobody here asked for is somebody's decision, and what was asked for is given up. */
  #note(size: PixelSize): void {
    const before = this.#size;
    this.#size = size;
    const { sizes = [] } = this.#wanted ?? {};
    if (isSame(size, before)) return;
    const place = sizes.findIndex((asked) => isSame(asked, size));
    sizes.splice(0, place + 1);
    if (place < 0 || sizes.length === 0) this.#wanted = undefined;
  }

  #settle(): void {
    const request = this.#request;
    if (request === undefined) return;
    clearTimeout(request.timer);
    this.#request = undefined;
    this.#follow();
    request.settled.resolve();
  }

  get #room(): CellRoom {
    const { cell, internalBorder, scrollbarWidth } = this.#parts;
    return { cell: cell(), internalBorder, scrollbarWidth: scrollbarWidth?.() ?? 0 };
  }

  #follow(): void {
    if (this.#isStopped) return;
    const grid = gridIn(this.#size, this.#room);
    const { columns, rows } = this.#parts.grid();
    if (grid.columns !== columns || grid.rows !== rows) this.#parts.onGrid(grid);
  }
}

function isSame(one: PixelSize, other: PixelSize): boolean {
  return one.width === other.width && one.height === other.height;
}
