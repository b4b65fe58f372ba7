/** Rest after each time. */
const REST_MS = 1_000;

/**
 * Does a step when it is asked to, and rests after it: however often it is asked meanwhile, it does the step once more.
 * The rest keeps no program from ending.
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
        // It is tried when it is asked for again.
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
    }
    this.#isBusy = false;
  }
}
