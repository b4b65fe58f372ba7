import type { BellPort } from '../ports/bell.ts';

/** The X server's bell: rung with a frame, so that a flood of BEL does not cause a flood of requests. */
const SILENCE_AFTER_MS = 200;

export class Bell implements BellPort {
  readonly #request: () => void;
  readonly #nowMs: () => number;
  readonly #rings: () => void;
  #isDue = false;
  #rungMs = Number.NEGATIVE_INFINITY;

  /** `rings` is told of every request, also of those that are ignored. */
  constructor({ request, nowMs, rings }: { request(): void; nowMs(): number; rings(): void }) {
    this.#request = () => request();
    this.#nowMs = () => nowMs();
    this.#rings = () => rings();
  }

  /** Requests within a fifth of a second after a ring are ignored. */
  ring(): void {
    this.#rings();
    if (this.#isDue || this.#nowMs() - this.#rungMs < SILENCE_AFTER_MS) return;
    this.#isDue = true;
    this.#request();
  }

  /** The next frame must ring it. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** True when it must ring now. */
  take(): boolean {
    if (!this.#isDue) return false;
    this.#isDue = false;
    this.#rungMs = this.#nowMs();
    return true;
  }
}
