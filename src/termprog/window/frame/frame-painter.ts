import type { Scroll } from '../../engine/damage.ts';
import type { Engine } from '../../engine/engine.ts';
import type { OptionPort } from '../../ports/states.ts';
import type { Frame, FrameSource } from '../../render/frame.ts';
import type { Painter, ShownCursor } from '../../render/painter.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { Bell } from './bell.ts';
import type { Blinking } from './blinking.ts';
import { cursorBlinks } from './cursor-blink.ts';
import type { FrameClock } from './frame-clock.ts';
import type { ShownLines } from './shown-lines.ts';
import type { Viewport } from './viewport.ts';

/** Delay before a failed frame is painted again; doubles with each further failure. */
const RETRY_FIRST_MS = 50;
const RETRY_LAST_MS = 5_000;

/** After this many failures in a row the next attempt waits for a change of the screen. */
const RETRIES_MAX = 6;

/** A part that is written with a frame, in addition to its cells. */
export interface FrameNotice {
  readonly isDue: boolean;
  flush(): void;
}

export interface FramePainterParts {
  connection: XConnection;
  window: number;
  engine: Engine;
  painter: Painter;
  viewport: Viewport;
  /** The lines of the viewport as they are drawn, with decorations. */
  lines: FrameSource & Pick<ShownLines, 'beginFrame' | 'covers'>;
  titles: FrameNotice;
  bell: Bell;
  attention: FrameNotice;
  blinking: Blinking;
  clock: FrameClock;
  options: OptionPort;
  failures: { log(message: string): void };
  /** Background of the window at its creation. */
  backgroundPixel: number;
  isVisible(): boolean;
  hasFocus(): boolean;
  /** Called once, when the first cells are on their way. */
  onFirstFrame(): void;
}

/** Paints a frame: labels, the bell, and the cells if the window is visible. */
export class FramePainter {
  readonly #parts: FramePainterParts;
  #isEverything = true;
  #isFirst = true;
  /** Before the first drawing the server has already filled the visible area with the background. */
  #isUntouched = true;
  #failures = 0;
  /** Distance of the viewport from the live screen in the last frame, in lines. */
  #linesAbove = 0;
  #isReversed = false;
  #isScreenReversed = false;
  #backgroundPixel: number;

  constructor(parts: FramePainterParts) {
    this.#parts = parts;
    this.#backgroundPixel = parts.backgroundPixel;
  }

  /** Compares all rows with the window's content in the next frame. */
  invalidate(): void {
    this.#isEverything = true;
  }

  /** Whether a frame would be noticed: the cells of a visible window, or the title and bell of a hidden one. */
  get isOfUse(): boolean {
    const { titles, bell, attention, isVisible } = this.#parts;
    return isVisible() || titles.isDue || bell.isDue || attention.isDue;
  }

  /** Paints a frame and never throws: a failure damages this frame only. @spec termprog#errors */
  paint(): void {
    try {
      try {
        this.#ringAndLabel();
      } finally {
        if (this.#parts.isVisible()) this.#paintCells();
      }
      this.#failures = 0;
    } catch (error) {
      this.#takeFailure(error);
    }
  }

  #ringAndLabel(): void {
    const { connection, titles, bell, attention } = this.#parts;
    if (bell.take()) connection.client.Bell(0);
    attention.flush();
    titles.flush();
  }

  #takeFailure(error: unknown): void {
    const { painter, clock, failures } = this.#parts;
    failures.log(`the window could not be drawn and is drawn anew: ${error instanceof Error ? error.message : error}`);
    painter.forgetEverything();
    this.#isEverything = true;
    this.#failures += 1;
    if (this.#failures > 1) clock.backOff(Math.min(RETRY_FIRST_MS * 2 ** (this.#failures - 2), RETRY_LAST_MS));
    if (this.#failures <= RETRIES_MAX) clock.request();
  }

  #paintCells(): void {
    const { engine, painter, viewport, lines, clock, blinking, onFirstFrame } = this.#parts;
    if (this.#isUntouched && painter.backgroundPixel === this.#backgroundPixel) painter.takeBackground();
    this.#isUntouched = false;
    lines.beginFrame();
    this.#showReversal();
    painter.showBlinkingText(blinking.showsText);
    const damage = engine.takeDamage();
    const { linesAbove } = viewport;
    const moved = linesAbove - this.#linesAbove;
    this.#linesAbove = linesAbove;
    const isLive = linesAbove === 0 && moved === 0;
    const frame: Frame = {
      source: lines,
      damage: isLive ? damage : { ...damage, scrolls: scrollsOf(moved, engine.rows) },
      isEverything: this.#isEverything || !isLive,
      cursor: this.#shownCursor(),
    };
    const isComplete = painter.paint(frame);
    blinking.noticeText(painter.hasBlinkingText);
    this.#isEverything = false;
    if (!isComplete) clock.request();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) onFirstFrame();
  }

  /** Applies the reversal: the application's and the configured one cancel each other. */
  #showReversal(): void {
    const { connection, window, engine, painter, options } = this.#parts;
    const isScreenReversed = engine.modes.get('reverseScreen');
    const isReversed = options.get('reverseVideo') !== isScreenReversed;
    if (isReversed !== this.#isReversed || isScreenReversed !== this.#isScreenReversed) {
      this.#isReversed = isReversed;
      this.#isScreenReversed = isScreenReversed;
      painter.setReverse(isReversed, isScreenReversed);
    }
    const { backgroundPixel } = painter;
    if (backgroundPixel === this.#backgroundPixel) return;
    this.#backgroundPixel = backgroundPixel;
    // The server fills new and uncovered parts of the window with this colour.
    connection.client.ChangeWindowAttributes(window, { backgroundPixel });
  }

  #shownCursor(): ShownCursor | undefined {
    const { engine, viewport, lines, options, blinking, hasFocus } = this.#parts;
    const { cursor } = engine;
    const { column, row, shape, isVisible } = cursor;
    const shownRow = row + viewport.linesAbove;
    const isThere = isVisible && shownRow < engine.rows && !lines.covers(shownRow);
    const isSolid = hasFocus() || options.get('alwaysHighlight');
    // The cursor does not blink without the focus, as in the reference terminal.
    const isBlinking = isThere && isSolid && cursorBlinks(options, engine.modes.get('cursorBlink'));
    const isShown = blinking.showsCursor(cursor, isBlinking);
    return isThere && isShown ? { column, row: shownRow, shape, isSolid } : undefined;
  }
}

/** The viewport moved up in the history by this many lines: the lines that stay visible move down. */
function scrollsOf(linesUp: number, rows: number): Scroll[] {
  return linesUp === 0 ? [] : [{ top: 0, bottom: rows - 1, lines: -linesUp }];
}
