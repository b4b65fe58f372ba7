import type { CellMetrics } from '../engine/engine-host.ts';
import type { TerminalEngine } from '../engine/terminal-engine.ts';
import type { SlotFonts } from '../fonts/slot-fonts.ts';
import type { PtySize } from '../pty/child.ts';
import type { Painter } from '../render/painter.ts';
import type { CellSize } from '../render/rectangle.ts';
import type { XConnection } from '../x11/connection.ts';
import { areaOf, type GridSize, type PixelSize } from './fit-geometry.ts';
import { WindowFitting } from './fonts/window-fitting.ts';
import type { Viewport } from './viewport.ts';

export interface GridParts {
  connection: XConnection;
  window: number;
  internalBorder: number;
  engine: TerminalEngine;
  painter: Painter;
  viewport: Viewport;
  /** The grid or its cell has changed: tells window managers. */
  tellSizes(sizes: { size: GridSize; cell: CellSize }): void;
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

  constructor(parts: GridParts) {
    this.#parts = parts;
    const { painter, tellSizes } = parts;
    this.#fitting = new WindowFitting({
      ...parts,
      cell: () => painter.cell,
      grid: () => this.#size,
      tellManagers: () => tellSizes({ size: this.#size, cell: painter.cell }),
      onGrid: (size) => this.#resize(size),
    });
  }

  /** The window has a size. */
  takeSize(size: PixelSize): void {
    this.#fitting.takeSize(size);
  }

  /** Draws with other fonts; resolves when the window has the size for them. */
  showFonts(fonts: SlotFonts): Promise<void> {
    const { painter, redraw } = this.#parts;
    painter.setFonts(fonts);
    painter.resize(this.#size.columns, this.#size.rows);
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
    const area = areaOf(this.#size, cell);
    const padding = 2 * this.#parts.internalBorder;
    return { cell, area, window: known ?? { width: area.width + padding, height: area.height + padding } };
  }

  /**
   * The cell of the view at a place in the window; both in their own counts from the top left. Places outside of the text
   * give rows and columns outside of the view.
   */
  cellAt({ x, y }: { x: number; y: number }): { row: number; column: number } {
    const { painter, internalBorder } = this.#parts;
    const { width, height } = painter.cell;
    return { row: Math.floor((y - internalBorder) / height), column: Math.floor((x - internalBorder) / width) };
  }

  stop(): void {
    this.#fitting.stop();
  }

  get #size(): GridSize {
    const { columns, rows } = this.#parts.engine;
    return { columns, rows };
  }

  #resize({ columns, rows }: GridSize): void {
    const { engine, painter, viewport, redraw } = this.#parts;
    engine.resize(columns, rows);
    painter.resize(columns, rows);
    viewport.toBottom();
    redraw();
    this.#tellChild();
  }

  #tellChild(): void {
    const { painter, resizeChild } = this.#parts;
    resizeChild({ ...this.#size, ...areaOf(this.#size, painter.cell) });
  }
}
