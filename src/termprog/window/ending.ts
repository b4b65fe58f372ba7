/** Ends a terminal: runs every step once, in order, even if an earlier one throws; then throws the first failure. */
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
