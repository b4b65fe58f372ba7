import type { CellMetrics } from '../engine/engine-host.ts';
import type { TerminalEngine } from '../engine/terminal-engine.ts';
import type { SlotFonts } from '../fonts/slot-fonts.ts';
import type { PtySize } from '../pty/child.ts';
import type { Painter } from '../render/painter.ts';
import type { CellSize } from '../render/rectangle.ts';
import type { XConnection } from '../x11/connection.ts';
import { areaOf, type GridSize, type PixelSize } from './fit-geometry.ts';
import { WindowFitting } from './fonts/window-fitting.ts';
import { ResizePace } from './resize-pace.ts';
import type { Viewport } from './viewport.ts';

/** Pixels that a scrollbar takes of the width of the window, on either side of the padding. */
export interface SideInset {
  left: number;
  right: number;
}

export interface GridParts {
  connection: XConnection;
  window: number;
  internalBorder: number;
  /** The first one. */
  inset: SideInset;
  engine: TerminalEngine;
  painter: Painter;
  viewport: Viewport;
  /** The grid or its cell has changed: tells window managers. */
  tellSizes(sizes: { size: GridSize; cell: CellSize; scrollbarWidth: number }): void;
  /** Whether a program edits the line at the cursor, and draws it again after a resize. */
  isEditing(): boolean;
  /** Whether the last prompt was marked by another program. */
  isPromptLeft(): boolean;
  /** Shows what the program has written until now. */
  catchUp(): void;
  nowMs(): number;
  /** Tells the child. */
  resizeChild(size: PtySize): void;
  /** All rows are compared with what the window shows. */
  redraw(): void;
}

/**
 * How many cells there are and how large: engine, painter, view and child have the same number of them, as many as the
 * window has room for. Other fonts leave the number, and ask for a window with room for that.
 */
export class CellGrid {
  readonly #parts: GridParts;
  readonly #fitting: WindowFitting;
  readonly #pace: ResizePace;
  readonly #sizeWatchers: ((size: PixelSize) => void)[] = [];
  #inset: SideInset;

  constructor(parts: GridParts) {
    this.#parts = parts;
    const { painter, tellSizes } = parts;
    this.#inset = parts.inset;
    this.#fitting = new WindowFitting({
      ...parts,
      cell: () => painter.cell,
      scrollbarWidth: () => this.#scrollbarWidth,
      grid: () => this.#cells,
      tellManagers: () => tellSizes({ size: this.#cells, cell: painter.cell, scrollbarWidth: this.#scrollbarWidth }),
      onGrid: (size) => this.#resize(size),
    });
    this.#pace = new ResizePace({ nowMs: () => parts.nowMs(), resume: () => this.#fitting.resume() });
  }

  /** Of the window, in pixels: as the server told it last, or as it was asked for. */
  get size(): PixelSize {
    return this.#fitting.size;
  }

  /** The window has a size. */
  takeSize(size: PixelSize): void {
    for (const tell of this.#sizeWatchers) tell(size);
    this.#fitting.takeSize(size);
  }

  /** Tells every size that the window has from now on. */
  watchSize(changed: (size: PixelSize) => void): void {
    this.#sizeWatchers.push(changed);
  }

  /**
   * A scrollbar takes another part of the width. The number of cells stays, and the window changes its size, unless the
   * window manager refuses; resolves when that is known.
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
    this.#tellChild();
    return this.#fitting.fitWindow();
  }

  /** More fonts of the slot that is shown are open. */
  showMoreFonts(fonts: SlotFonts): void {
    this.#parts.painter.setFonts(fonts);
    this.#parts.redraw();
  }

  /** In pixels. @param known the window's size, undefined before the server has told it */
  metrics(known: PixelSize | undefined): CellMetrics {
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
   * The cell of the view at a place in the window; both in their own counts from the top left. Places outside of the text
   * give rows and columns outside of the view.
   */
  cellAt(place: { x: number; y: number }): { row: number; column: number } {
    const { width, height } = this.#parts.painter.cell;
    const { x, y } = this.textPixelAt(place);
    return { row: Math.floor(y / height), column: Math.floor(x / width) };
  }

  /** A place in the window, in pixels from the top left corner of the first cell. */
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
      // It was drawn for the size that is shown.
      catchUp();
      if (this.#pace.isAwaiting) return;
    }
    viewport.keepThrough(() => engine.resize(columns, rows, isEditing(), isPromptLeft()));
    painter.resize(columns, rows);
    redraw();
    this.#tellChild();
  }

  /** What the window is asked for next is about the number of cells that it has room for now. */
  #takeWaitingSize(): void {
    if (!this.#pace.isAwaiting) return;
    this.#pace.stop();
    this.#fitting.resume();
  }

  #tellChild(): void {
    const { painter, isEditing, resizeChild } = this.#parts;
    if (isEditing()) this.#pace.takeSize();
    resizeChild({ ...this.#cells, ...areaOf(this.#cells, painter.cell) });
  }
}
