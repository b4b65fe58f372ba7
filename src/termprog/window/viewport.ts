/** Which part of history and screen is shown, as lines above the live screen. */
export class Viewport {
  #linesAbove = 0;

  /** 0 at the live screen. */
  get linesAbove(): number {
    return this.#linesAbove;
  }

  /** Moves by lines, up when positive; false when that changes nothing. */
  scrollBy(lines: number, historyLines: number): boolean {
    const before = this.#linesAbove;
    this.#linesAbove = Math.min(Math.max(0, before + lines), historyLines);
    return this.#linesAbove !== before;
  }

  /** Back to the live screen; false when it was there. */
  toBottom(): boolean {
    const wasAbove = this.#linesAbove > 0;
    this.#linesAbove = 0;
    return wasAbove;
  }
}
