export interface BlinkTimes {
  onMs: number;
  offMs: number;
}

/** Alternates between shown and hidden. The timer runs only while something blinks. */
export class BlinkPhase {
  readonly #times: BlinkTimes;
  readonly #changed: () => void;
  #isShown = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(times: BlinkTimes, changed: () => void) {
    this.#times = times;
    this.#changed = changed;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /**
   * Call it with each frame: a phase ends only after it was painted, and no timer runs while the window is not painted.
   * If blinking stops, the text or cursor is shown.
   */
  run(isBlinking: boolean): void {
    if (!isBlinking) this.#begin();
    else this.#timer ??= this.#wait();
  }

  /** Starts a whole shown phase now. */
  restart(): void {
    this.#begin();
    this.run(true);
  }

  stop(): void {
    this.#begin();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isShown = true;
  }

  #wait(): NodeJS.Timeout {
    const { onMs, offMs } = this.#times;
    return setTimeout(
      () => {
        this.#timer = undefined;
        this.#isShown = !this.#isShown;
        this.#changed();
      },
      this.#isShown ? onMs : offMs,
    );
  }
}
