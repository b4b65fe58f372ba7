/** Most pieces of one text: each has its own memory overhead, however short it is. */
const PIECES_MAX = 262_144;

/**
 * Slowest accepted pace: an owner that sends less than this per piece deadline is abandoned after a few of these
 * deadlines.
 */
const PACE_BYTES = 4096;
const PATIENCE = 4;

/** The pieces of a text that its owner has sent so far, and the time that they took. */
export class OwnerPieces {
  readonly #deadlineMs: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #waitedMs = 0;

  /** @param deadlineMs longest wait for one piece */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isTooMany(): boolean {
    return this.#pieces.length > PIECES_MAX;
  }

  /**
   * Whether the transfer is too slow: each piece came in time, but all of them would take hours; if other reads wait,
   * minutes are the limit.
   */
  isTooSlow({ othersWait }: { othersWait: boolean }): boolean {
    return this.#waitedMs > this.#deadlineMs * (PATIENCE + (othersWait ? 0 : this.#bytes / PACE_BYTES));
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
  }

  /** Adds a wait for a piece; time beyond the deadline was this process's own pause. */
  waited(ms: number): void {
    this.#waitedMs += Math.min(ms, this.#deadlineMs);
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
