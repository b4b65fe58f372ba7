import type { BellPort } from '../../ports/appearance.ts';

/** Requests within this time after a ring are ignored. */
const SILENCE_AFTER_MS = 200;

/** Rings the X server's bell with a frame, so that a flood of BEL does not cause a flood of requests. */
export class Bell implements BellPort {
  readonly #request: () => void;
  readonly #nowMs: () => number;
  readonly #rings: () => void;
  #isDue = false;
  #rungMs = Number.NEGATIVE_INFINITY;

  /** @param rings is called for each request, also for ignored ones */
  constructor({ request, nowMs, rings }: { request(): void; nowMs(): number; rings(): void }) {
    this.#request = () => request();
    this.#nowMs = () => nowMs();
    this.#rings = () => rings();
  }

  /** Requests a ring with the next frame, unless the bell has just rung. */
  ring(): void {
    this.#rings();
    if (this.#isDue || this.#nowMs() - this.#rungMs < SILENCE_AFTER_MS) return;
    this.#isDue = true;
    this.#request();
  }

  /** Whether the next frame must ring. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Returns true if the bell must ring now, and then resets the request. */
  take(): boolean {
    if (!this.#isDue) return false;
    this.#isDue = false;
    this.#rungMs = this.#nowMs();
    return true;
  }
}
