/** What ends a terminal in order; every step is taken, once, even when one before it fails. */
export class Ending {
  readonly #steps: readonly (() => void)[];
  #hasEnded = false;

  constructor(steps: readonly (() => void)[]) {
    this.#steps = steps;
  }

  run(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const failures: unknown[] = [];
    for (const step of this.#steps) {
      try {
        step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
