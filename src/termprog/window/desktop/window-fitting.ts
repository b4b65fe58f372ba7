import type { GridSize } from '../../engine/grid.ts';
import type { CellSize } from '../../render/rectangle.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { type CellRoom, gridIn, type PixelSize, windowFor } from './fit-geometry.ts';

/** Longest wait for the window manager's size before the server is queried for the window's actual size. */
const ANSWER_MAX_MS = 300;

/**
 * Most requested sizes that are remembered as still to come; a manager that never grants one gets more and more
 * requests.
 */
const LATE_MAX = 16;

export interface WindowFittingParts {
  connection: Pick<XConnection, 'isOpen' | 'client' | 'flush' | 'ask'>;
  window: number;
  internalBorder: number;
  /** Pixels of the width that a scrollbar takes now; 0 without one. */
  scrollbarWidth?(): number;
  /** Cell of the fonts in use. */
  cell(): CellSize;
  grid(): GridSize;
  /** Updates the size hints for window managers. */
  announceSizes(): void;
  /** The window has room for another number of cells. */
  onGrid(grid: GridSize): void;
}

/**
 * Fits the grid to the window, and after a change of the cell the window to the grid. While a request is pending, sizes
 * that differ from the requested one change nothing: they may be older than the request. A window manager that refuses
 * the size has the last word. A slow one grants a size later, possibly after the next request: until the window gets a
 * size that the terminal did not request, further requests keep the grid of the first one.
 * ours: decision 107
 */
export class WindowFitting {
  readonly #parts: WindowFittingParts;
  #size: PixelSize;
  #request: { size: PixelSize; settled: PromiseWithResolvers<void>; timer: NodeJS.Timeout } | undefined;
  /** The grid that still lacks a window of its size, and the sizes requested for it, oldest first. */
  #wanted: { grid: GridSize; sizes: PixelSize[] } | undefined;
  #isStopped = false;

  constructor(parts: WindowFittingParts) {
    this.#parts = parts;
    this.#size = windowFor(parts.grid(), this.#room);
  }

  /** The last known size of the window. */
  get size(): PixelSize {
    return this.#size;
  }

  /** The server reported the window's size. */
  takeSize(size: PixelSize): void {
    this.#note(size);
    const request = this.#request;
    if (request === undefined) this.#follow();
    else if (isSame(size, request.size)) this.#settle();
  }

  /**
   * Requests a window for the present grid after a change of the cell or the scrollbar. Resolves when the window has
   * that size, or the window manager has refused it.
   */
  fitWindow(): Promise<void> {
    const { connection, window, announceSizes } = this.#parts;
    if (this.#isStopped || !connection.isOpen) return Promise.resolve();
    this.#settle();
    announceSizes();
    const { grid = this.#parts.grid(), sizes = [] } = this.#wanted ?? {};
    const size = windowFor(grid, this.#room);
    if (isSame(size, this.#size)) {
      this.#follow();
      // Otherwise an earlier request may still be granted, and this size must be requested after it.
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

  /** The grid may follow the window again after `onGrid` was deferred. */
  resume(): void {
    if (this.#request === undefined) this.#follow();
  }

  /** Ends all fitting. */
  stop(): void {
    this.#isStopped = true;
    this.#settle();
  }

  /** A window manager that refuses sends only a synthetic event, or no event. */
  async #askSize(): Promise<void> {
    const { connection, window } = this.#parts;
    const request = this.#request;
    const size = await connection
      .ask<PixelSize>('the size of the window', (client, reply) => client.GetGeometry(window, reply))
      // A failure means that the window or the connection is gone, which is reported elsewhere.
      .catch(() => undefined);
    if (request !== this.#request) return;
    if (size !== undefined) this.#note({ width: size.width, height: size.height });
    this.#settle();
  }

  /**
   * Records a size. If the terminal did not request it, the user or the window manager chose it, and the pending
   * requests are dropped.
   */
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
