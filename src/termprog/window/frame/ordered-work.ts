/** Most waiting steps; only a program that sends queries without reading the answers causes more. */
const WAITING_MAX = 8_192;

/**
 * Runs steps in the order in which they were added. A step that waits for an answer of the X server also holds up the
 * steps behind it.
 */
export class OrderedWork {
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;

  /** Runs a step, at once if no answer is awaited. The step is dropped if too many wait. */
  do(step: () => void): void {
    if (!this.#isHeld) step();
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(step);
  }

  /** Runs a step with an answer once it has arrived; the step gets `undefined` if the request failed. */
  doWith<T>(ask: () => Promise<T>, step: (answer: T | undefined) => void): void {
    this.do(() => {
      this.#isHeld = true;
      const go = (answer: T | undefined): void => {
        this.#isHeld = false;
        step(answer);
        this.#release();
      };
      // The step handles the failure.
      ask().then(go, () => go(undefined));
    });
  }

  #release(): void {
    let done = 0;
    while (!this.#isHeld && done < this.#waiting.length) {
      const step = this.#waiting[done];
      done += 1;
      step?.();
    }
    this.#waiting.splice(0, done);
  }
}
