/** Pause after each run. */
const REST_MS = 1_000;

/**
 * Runs a step on request and pauses after it: all requests during a run or its pause lead to one further run. The pause
 * does not keep the process alive.
 */
export class PacedStep {
  readonly #step: () => Promise<void> | void;
  #isAsked = false;
  #isBusy = false;

  constructor(step: () => Promise<void> | void) {
    this.#step = step;
  }

  ask(): void {
    this.#isAsked = true;
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.#isAsked) {
      this.#isAsked = false;
      try {
        await this.#step();
      } catch {
        // The next request tries it again.
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
    }
    this.#isBusy = false;
  }
}
