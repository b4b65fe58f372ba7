import type { XConnection } from '../x11/x-connection.ts';

/** A request of any length without effect; X11 protocol. */
const NO_OPERATION = 127;

/** Words gathered before they are passed on: 128 KiB. Every request is far smaller. */
const CAPACITY_WORDS = 32_768;

/**
 * Packs requests one after the other and passes them to the connection in one piece. A caller reserves the words of a
 * request and writes all of them; numbers are in this machine's byte order, as the connection announced.
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

  /** Number of the batch that is being gathered: its indices are invalid in the next. */
  get batch(): number {
    return this.#batch;
  }

  /** Words packed so far, sent or not. */
  get packedWords(): number {
    return this.#sentWords + this.#length;
  }

  /** Reserves room for a request and returns the index of its first word; the other words are undefined. */
  reserve(words: number): number {
    if (this.#length + words > CAPACITY_WORDS) this.send();
    const at = this.#length;
    this.#length += words;
    this.#count += 1;
    // The request starts as a NoOperation: if a caller fails before writing, the other requests stay intact.
    this.words[at] = NO_OPERATION | (words << 16);
    return at;
  }

  /** Makes the last request longer; returns false when there is no room. */
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
