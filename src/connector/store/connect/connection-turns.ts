/** Least number of connections that one asker may have, as far as the pool has so many. */
const LEAST = 2;

/**
 * Shares the connections of a pool among those whose requests ask for one: each has at most half of them, and the next
 * free one goes to the asker that has fewest. Else one person's parallel calls, which may all wait for the same lock,
 * would keep the calls of all others waiting. An asker's own requests get theirs in the order in which they came.
 */
export class ConnectionTurns {
  readonly #all: number;
  readonly #ofOne: number;
  /** Asker → the connections that it has, or is about to get. */
  readonly #taken = new Map<string, number>();
  #takenByAll = 0;
  /** Asker → its requests that wait. The asker that was served last comes last. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @param connections most connections of the pool */
  constructor(connections: number) {
    this.#all = connections;
    this.#ofOne = Math.min(connections, Math.max(LEAST, Math.ceil(connections / 2)));
  }

  /**
   * Resolves when a request of the asker may take a connection.
   * @returns a function to call once, when the connection is back
   * @throws Error after `waitMs`
   */
  async take(asker: string, waitMs: number): Promise<() => void> {
    if (this.#waiting.has(asker) || !this.#hasRoomFor(asker)) await this.#turn(asker, waitMs);
    else this.#count(asker, 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#count(asker, -1);
      this.#giveOn();
    };
  }

  #hasRoomFor(asker: string): boolean {
    return this.#takenByAll < this.#all && this.#takenBy(asker) < this.#ofOne;
  }

  #takenBy(asker: string): number {
    return this.#taken.get(asker) ?? 0;
  }

  #count(asker: string, more: number): void {
    const now = this.#takenBy(asker) + more;
    this.#takenByAll += more;
    if (now > 0) this.#taken.set(asker, now);
    else this.#taken.delete(asker);
  }

  async #turn(asker: string, waitMs: number): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const own = this.#waiting.get(asker) ?? new Set();
    this.#waiting.set(asker, own.add(begin));
    const giveUp = (): void => {
      this.#leave(asker, begin);
      reject(new Error('timeout expired: no connection was free in time'));
    };
    const timer = setTimeout(giveUp, waitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #leave(asker: string, begin: () => void): void {
    const own = this.#waiting.get(asker);
    own?.delete(begin);
    if (own?.size === 0) this.#waiting.delete(asker);
  }

  /** Gives the free connection to the asker that has fewest; among those with as many, to the one served longest ago. */
  #giveOn(): void {
    let next: string | undefined;
    for (const asker of this.#waiting.keys()) {
      if (!this.#hasRoomFor(asker)) continue;
      if (next === undefined || this.#takenBy(asker) < this.#takenBy(next)) next = asker;
    }
    if (next === undefined) return;
    const own = this.#waiting.get(next);
    const [begin] = own ?? [];
    if (own === undefined || begin === undefined) return;
    this.#waiting.delete(next);
    own.delete(begin);
    if (own.size > 0) this.#waiting.set(next, own);
    this.#count(next, 1);
    begin();
  }
}
