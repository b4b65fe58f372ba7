/** Steps that wait at a time; more of them come only from a program that asks without reading answers. */
const WAITING_MAX = 8_192;

/**
 * Does steps in the order in which they are given. Some must wait for an answer of the X server; what comes behind them
 * waits, too.
 */
export class OrderedWork {
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;

  /** Does a step, at once if nothing is waited for. It is left out when too many wait. */
  do(step: () => void): void {
    if (!this.#isHeld) step();
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(step);
  }

  /** Does a step when an answer is there; `undefined` stands for an answer that failed. */
  doWith<T>(ask: () => Promise<T>, step: (answer: T | undefined) => void): void {
    this.do(() => {
      this.#isHeld = true;
      const go = (answer: T | undefined): void => {
        this.#isHeld = false;
        step(answer);
        this.#release();
      };
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
