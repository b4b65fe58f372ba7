import type { Cursor } from '../../engine/cursor.ts';
import { BlinkPhase, type BlinkTimes } from './blink-phase.ts';

/** The blinking of the cursor and of text, each with its own phase. */
export class Blinking {
  readonly #cursor: BlinkPhase;
  readonly #text: BlinkPhase;
  #last: Cursor | undefined;

  /** @param changed a frame is due */
  constructor(times: BlinkTimes, changed: () => void) {
    this.#cursor = new BlinkPhase(times, changed);
    this.#text = new BlinkPhase(times, changed);
  }

  /**
   * Whether the next frame shows the cursor. A cursor that moved since the last frame is shown for a whole phase, so
   * that people who type do not lose it.
   */
  showsCursor(cursor: Cursor, isBlinking: boolean): boolean {
    const last = this.#last;
    this.#last = cursor;
    const isSame = last?.column === cursor.column && last.row === cursor.row && last.shape === cursor.shape;
    if (isBlinking && !isSame) this.#cursor.restart();
    else this.#cursor.run(isBlinking);
    return this.#cursor.isShown;
  }

  /** Whether the next frame shows blinking text. */
  get showsText(): boolean {
    return this.#text.isShown;
  }

  /**
   * Call it after each frame.
   * @param isThere whether the window shows blinking text, or would in the shown phase
   */
  noticeText(isThere: boolean): void {
    this.#text.run(isThere);
  }

  stop(): void {
    this.#cursor.stop();
    this.#text.stop();
  }
}
