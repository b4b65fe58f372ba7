import type { WindowMetrics } from '../../engine/engine-host.ts';
import type { GridSize } from '../../engine/grid.ts';
import type { TerminalEngine } from '../../engine/terminal-engine.ts';
import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { PtySize } from '../../pty/child.ts';
import type { Painter } from '../../render/painter.ts';
import type { CellSize } from '../../render/rectangle.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { Viewport } from '../frame/viewport.ts';
import { areaOf, type PixelSize } from './fit-geometry.ts';
import { ResizePace } from './resize-pace.ts';
import { WindowFitting } from './window-fitting.ts';

/** Pixels of the window's width that a scrollbar takes on either side of the padding. */
export interface SideInset {
  left: number;
  right: number;
}

export interface GridParts {
  connection: XConnection;
  window: number;
  internalBorder: number;
  /** The inset at the start. */
  inset: SideInset;
  engine: TerminalEngine;
  painter: Painter;
  viewport: Viewport;
  /** The grid or its cell has changed: updates the hints for window managers. */
  announceSizes(sizes: { size: GridSize; cell: CellSize; scrollbarWidth: number }): void;
  /** Whether a program edits the line at the cursor and redraws it after a resize. */
  isEditing(): boolean;
  /** Whether a program that is no longer in the foreground marked the last prompt. */
  isPromptLeft(): boolean;
  /** Shows the output that the program has written so far. */
  catchUp(): void;
  nowMs(): number;
  /** Sends the size to the child's pty. */
  resizeChild(size: PtySize): void;
  /** Compares all rows with the window's content. */
  redraw(): void;
}

/**
 * Owns the number of cells and their size. Engine, painter, viewport and child have the same number, as many as the
 * window has room for. A font change keeps the number and requests a window that fits it.
 */
export class CellGrid {
  readonly #parts: GridParts;
  readonly #fitting: WindowFitting;
  readonly #pace: ResizePace;
  readonly #sizeWatchers: ((size: PixelSize) => void)[] = [];
  #inset: SideInset;

  constructor(parts: GridParts) {
    this.#parts = parts;
    const { painter, announceSizes } = parts;
    this.#inset = parts.inset;
    this.#fitting = new WindowFitting({
      ...parts,
      cell: () => painter.cell,
      scrollbarWidth: () => this.#scrollbarWidth,
      grid: () => this.#cells,
      announceSizes: () =>
        announceSizes({ size: this.#cells, cell: painter.cell, scrollbarWidth: this.#scrollbarWidth }),
      onGrid: (size) => this.#resize(size),
    });
    this.#pace = new ResizePace({ nowMs: () => parts.nowMs(), resume: () => this.#fitting.resume() });
  }

  /** Size of the window in pixels: the last one that the server reported, or the requested one. */
  get size(): PixelSize {
    return this.#fitting.size;
  }

  /** The server reported the window's size. */
  takeSize(size: PixelSize): void {
    for (const watcher of this.#sizeWatchers) watcher(size);
    this.#fitting.takeSize(size);
  }

  /** Registers a callback for every later size of the window. */
  watchSize(changed: (size: PixelSize) => void): void {
    this.#sizeWatchers.push(changed);
  }

  /**
   * Changes the width of the scrollbar. The number of cells stays and the window changes its size, unless the window
   * manager refuses; resolves when that is settled.
   */
  setInset(inset: SideInset): Promise<void> {
    const { painter, redraw } = this.#parts;
    this.#takeWaitingSize();
    if (inset.left !== this.#inset.left) painter.setInset(inset.left);
    this.#inset = inset;
    redraw();
    return this.#fitting.fitWindow();
  }

  /** Draws with other fonts; resolves when the window has the size for them. */
  showFonts(fonts: SlotFonts): Promise<void> {
    const { painter, redraw } = this.#parts;
    this.#takeWaitingSize();
    painter.setFonts(fonts);
    painter.resize(this.#cells.columns, this.#cells.rows);
    painter.forgetEverything();
    redraw();
    this.#passSize();
    return this.#fitting.fitWindow();
  }

  /** More fonts of the slot that is shown are open. */
  showMoreFonts(fonts: SlotFonts): void {
    this.#parts.painter.setFonts(fonts);
    this.#parts.redraw();
  }

  /**
   * Sizes in pixels.
   * @param known the window's size, undefined before the server has reported it
   */
  metrics(known: PixelSize | undefined): WindowMetrics {
    const { cell } = this.#parts.painter;
    const area = areaOf(this.#cells, cell);
    const padding = 2 * this.#parts.internalBorder;
    return {
      cell,
      area,
      window: known ?? { width: area.width + padding + this.#scrollbarWidth, height: area.height + padding },
    };
  }

  /**
   * Returns the cell of the view at a pixel of the window, both counted from the top left. A pixel outside the text
   * gives a row or column outside the view.
   */
  cellAt(place: { x: number; y: number }): { row: number; column: number } {
    const { width, height } = this.#parts.painter.cell;
    const { x, y } = this.textPixelAt(place);
    return { row: Math.floor(y / height), column: Math.floor(x / width) };
  }

  /** Converts a pixel of the window to pixels from the top left corner of the first cell. */
  textPixelAt({ x, y }: { x: number; y: number }): { x: number; y: number } {
    const { internalBorder } = this.#parts;
    return { x: x - this.#inset.left - internalBorder, y: y - internalBorder };
  }

  /** The program has written something. */
  takeOutput(): void {
    this.#pace.takeOutput();
  }

  stop(): void {
    this.#pace.stop();
    this.#fitting.stop();
  }

  get #scrollbarWidth(): number {
    return this.#inset.left + this.#inset.right;
  }

  get #cells(): GridSize {
    const { columns, rows } = this.#parts.engine;
    return { columns, rows };
  }

  #resize({ columns, rows }: GridSize): void {
    const { engine, painter, viewport, redraw, isEditing, isPromptLeft, catchUp } = this.#parts;
    if (isEditing()) {
      // The pending output was drawn for the present size.
      catchUp();
      if (this.#pace.isAwaiting) return;
    }
    viewport.keepThrough(() => engine.resize(columns, rows, isEditing(), isPromptLeft()));
    painter.resize(columns, rows);
    redraw();
    this.#passSize();
  }

  /** The next request to the window is about the number of cells that it has room for now. */
  #takeWaitingSize(): void {
    if (!this.#pace.isAwaiting) return;
    this.#pace.stop();
    this.#fitting.resume();
  }

  #passSize(): void {
    const { painter, isEditing, resizeChild } = this.#parts;
    if (isEditing()) this.#pace.takeSize();
    resizeChild({ ...this.#cells, ...areaOf(this.#cells, painter.cell) });
  }
}
