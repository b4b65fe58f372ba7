import type { XConnection } from '../x11/connection.ts';

/** A request of any length that does nothing; X11 protocol. */
const NO_OPERATION = 127;

/** What is gathered before it is handed over: 128 KiB. Every request is far smaller. */
const CAPACITY_WORDS = 32_768;

/**
 * Requests packed one after the other, to be handed to the connection at once. Whoever packs one reserves its words
 * and writes all of them; numbers are in this machine's order, as the connection announced.
 */
export class RequestBuffer {
  readonly words = new Uint32Array(CAPACITY_WORDS);
  readonly bytes = new Uint8Array(this.words.buffer);
  readonly #connection: XConnection;
  #length = 0;
  #count = 0;
  #batch = 0;
  #sentWords = 0;

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Index of the first word after the last request. */
  get end(): number {
    return this.#length;
  }

  /** Number of what is being gathered: indices are of no use in the next. */
  get batch(): number {
    return this.#batch;
  }

  /** Words packed so far, sent or not. */
  get packedWords(): number {
    return this.#sentWords + this.#length;
  }

  /** Makes room for a request and gives the index of its first word; its words hold anything. */
  reserve(words: number): number {
    if (this.#length + words > CAPACITY_WORDS) this.send();
    const at = this.#length;
    this.#length += words;
    this.#count += 1;
    // NoOperation first: a caller that fails before writing has then requested nothing, and other requests stay intact.
    this.words[at] = NO_OPERATION | (words << 16);
    return at;
  }

  /** Makes the last request longer; false when there is no room. */
  extend(words: number): boolean {
    if (this.#length + words > CAPACITY_WORDS) return false;
    this.#length += words;
    return true;
  }

  send(): void {
    if (this.#count === 0) return;
    const count = this.#count;
    const bytes = this.bytes.subarray(0, this.#length * 4);
    this.#sentWords += this.#length;
    this.#length = 0;
    this.#count = 0;
    this.#batch += 1;
    this.#connection.sendRequests(bytes, count);
  }
}
