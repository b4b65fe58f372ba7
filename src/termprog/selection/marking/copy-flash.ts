/** Highlights copied text for a moment. */
export class CopyFlash {
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** @param durationMs 0 for no flash */
  start(durationMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (durationMs > 0) this.#timer = setTimeout(() => this.stop(), durationMs).unref();
    this.#changed();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }
}
