import type { Scroll } from '../engine/damage.ts';
import type { Engine } from '../engine/engine.ts';
import type { OptionPort } from '../ports/options.ts';
import type { Frame, FrameSource } from '../render/frame.ts';
import type { Painter, ShownCursor } from '../render/painter.ts';
import type { XConnection } from '../x11/connection.ts';
import type { Attention } from './attention.ts';
import type { Bell } from './bell.ts';
import type { Blinking } from './blinking.ts';
import { cursorBlinks } from './cursor-blink.ts';
import type { FrameClock } from './frame-clock.ts';
import type { ShownLines } from './shown-lines.ts';
import type { ThrottledLog } from './throttled-log.ts';
import type { Titles } from './titles.ts';
import type { Viewport } from './viewport.ts';

/** How long a failed frame waits to be painted anew; twice as long after each further failure. */
const RETRY_FIRST_MS = 50;
const RETRY_LAST_MS = 5_000;

/** After so many failures in a row the next attempt waits for a change of the screen. */
const RETRIES_MAX = 6;

export interface FramePainterParts {
  connection: XConnection;
  window: number;
  engine: Engine;
  painter: Painter;
  viewport: Viewport;
  /** The lines of the view as they are to be drawn. */
  lines: FrameSource & Pick<ShownLines, 'covers'>;
  titles: Titles;
  bell: Bell;
  attention: Pick<Attention, 'isDue' | 'flush'>;
  blinking: Blinking;
  clock: FrameClock;
  options: OptionPort;
  failures: ThrottledLog;
  /** Background of the window as it was created. */
  backgroundPixel: number;
  isVisible(): boolean;
  hasFocus(): boolean;
  /** Once, when the first cells are on their way. */
  onFirstFrame(): void;
}

/** Paints frames: labels, the bell, and the cells if the window is visible. */
export class FramePainter {
  readonly #parts: FramePainterParts;
  #isEverything = true;
  #isFirst = true;
  /** Nothing was drawn yet: the server filled what is to be seen with the background before it told of it. */
  #isUntouched = true;
  #failures = 0;
  /** Lines between the view and the live screen, in the last frame. */
  #linesAbove = 0;
  #isReversed = false;
  #isScreenReversed = false;
  #backgroundPixel: number;

  constructor(parts: FramePainterParts) {
    this.#parts = parts;
    this.#backgroundPixel = parts.backgroundPixel;
  }

  /** All rows are compared with what the window shows. */
  invalidate(): void {
    this.#isEverything = true;
  }

  /** Nobody sees the cells of a hidden window, but people notice its title and its bell. */
  get isOfUse(): boolean {
    const { titles, bell, attention, isVisible } = this.#parts;
    return isVisible() || titles.isDue || bell.isDue || attention.isDue;
  }

  /** Never throws. A frame that can't be drawn is one damaged frame. @spec termprog#errors */
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
    failures.tell(`the window could not be drawn and is drawn anew: ${error instanceof Error ? error.message : error}`);
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

  /** The application's reversal of the screen and the configured one undo each other. */
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
    // The server clears new and uncovered parts of the window to this colour.
    connection.client.ChangeWindowAttributes(window, { backgroundPixel });
  }

  #shownCursor(): ShownCursor | undefined {
    const { engine, viewport, lines, options, blinking, hasFocus } = this.#parts;
    const { cursor } = engine;
    const { column, row, shape, isVisible } = cursor;
    const shownRow = row + viewport.linesAbove;
    const isThere = isVisible && shownRow < engine.rows && !lines.covers(shownRow);
    const isSolid = hasFocus() || options.get('alwaysHighlight');
    // Without the focus it rests, as in the reference terminal.
    const isBlinking = isThere && isSolid && cursorBlinks(options, engine.modes.get('cursorBlink'));
    const isShown = blinking.showsCursor(cursor, isBlinking);
    return isThere && isShown ? { column, row: shownRow, shape, isSolid } : undefined;
  }
}

/** The view moved up in the history by some lines: the lines that it still shows are further down. */
function scrollsOf(linesUp: number, rows: number): Scroll[] {
  return linesUp === 0 ? [] : [{ top: 0, bottom: rows - 1, lines: -linesUp }];
}
