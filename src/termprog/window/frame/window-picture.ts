import type { Diagnostics } from '../../diagnostics.ts';
import type { TerminalEngine } from '../../engine/terminal-engine.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { Painter } from '../../render/painter.ts';
import type { PixelValues } from '../../render/pixel-values.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ApplicationColors } from './application-colors.ts';
import { Bell } from './bell.ts';
import { Blinking } from './blinking.ts';
import type { FrameClock } from './frame-clock.ts';
import { type FrameNotice, FramePainter, type FramePainterParts } from './frame-painter.ts';
import { followColors, type LoadedColors } from './live-colors.ts';
import { Refusals } from './refused-drawing.ts';
import { ShownLines } from './shown-lines.ts';
import { Viewport } from './viewport.ts';

export interface WindowPictureParts
  extends Pick<
    FramePainterParts,
    'titles' | 'failures' | 'backgroundPixel' | 'isVisible' | 'hasFocus' | 'onFirstFrame'
  > {
  connection: XConnection;
  window: number;
  options: LiveOptions;
  painter: Painter;
  engine: TerminalEngine;
  clock: FrameClock;
  applicationColors: ApplicationColors;
  /** The colours at the start. */
  colors: LoadedColors;
  pixels: PixelValues;
  diagnostics: Diagnostics;
  attention: FrameNotice & { takeBell(): void };
  nowMs(): number;
}

/** The window's picture: owns the viewport, its decorated lines, the blinking, the bell, and the painting of frames. */
export class WindowPicture {
  readonly bell: Bell;
  readonly viewport: Viewport;
  readonly lines: ShownLines;
  readonly #parts: WindowPictureParts;
  readonly #blinking: Blinking;
  readonly #frames: FramePainter;
  readonly #refusals: Refusals;

  constructor(parts: WindowPictureParts) {
    this.#parts = parts;
    const { options, painter, engine, clock, nowMs } = parts;
    const request = (): void => clock.request();
    const redraw = (): void => this.redraw();
    this.bell = new Bell({ request, nowMs, rings: () => parts.attention.takeBell() });
    this.viewport = new Viewport(engine, redraw);
    this.lines = new ShownLines(this.viewport);
    this.#blinking = new Blinking({ onMs: options.get('cursorOnTime'), offMs: options.get('cursorOffTime') }, request);
    this.#frames = new FramePainter({
      ...parts,
      bell: this.bell,
      viewport: this.viewport,
      lines: this.lines,
      blinking: this.#blinking,
    });
    this.#refusals = new Refusals({ nowMs, redraw: () => this.repaint() });
    followColors({ ...parts, redraw });
    options.watch(['reverseVideo', 'alwaysHighlight'], redraw);
    options.watch(['forceBoxChars'], () => {
      painter.setForcesProcedural(options.get('forceBoxChars'));
      redraw();
    });
  }

  /**
   * Starts the painting of frames.
   * @param beforeFrame steps that run before each frame
   */
  start(beforeFrame: readonly (() => void)[]): void {
    const { clock, engine, painter, applicationColors } = this.#parts;
    clock.drive({
      paint: () => {
        const change = applicationColors.takeChange();
        if (change !== undefined) painter.setColors(change);
        for (const step of beforeFrame) step();
        this.#frames.paint();
      },
      isOfUse: () => this.#frames.isOfUse,
      isHeldBack: () => engine.modes.get('synchronizedOutput'),
      endHolding: () => engine.modes.set('synchronizedOutput', false),
    });
  }

  /** Compares all rows with the window's content in the next frame. */
  redraw(): void {
    this.#frames.invalidate();
    this.#parts.clock.request();
  }

  /** Repaints the whole window. */
  repaint(): void {
    this.#parts.painter.forgetEverything();
    this.redraw();
  }

  /** The server refused a drawing request, or one that creates a drawing resource. */
  takeRefusal(): void {
    this.#refusals.take();
  }

  /** Ends all timers, so that they request no further frame. */
  stop(): void {
    this.#blinking.stop();
    this.#refusals.stop();
  }
}
