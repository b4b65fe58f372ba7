/** Pieces of one text: each costs memory of its own, however short it is. */
const PIECES_MAX = 262_144;

/** An owner that gives less than this in the time that is allowed for one piece is given up, after a few of these times. */
const PACE_BYTES = 4096;
const PATIENCE = 4;

/** The pieces of a text that its owner has given so far. */
export class OwnerPieces {
  readonly #deadlineMs: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #waitedMs = 0;

  /** @param deadlineMs how long it may take for one piece */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isTooMany(): boolean {
    return this.#pieces.length > PIECES_MAX;
  }

  /** Each piece came in time, but all of them would take hours; minutes are enough where others wait for their turn. */
  isTooSlow({ othersWait }: { othersWait: boolean }): boolean {
    return this.#waitedMs > this.#deadlineMs * (PATIENCE + (othersWait ? 0 : this.#bytes / PACE_BYTES));
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
  }

  /** A piece was waited for; more than is allowed for one was this program's own pause. */
  waited(ms: number): void {
    this.#waitedMs += Math.min(ms, this.#deadlineMs);
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
