/** The session of some work has ended; the next session does that work again. Neither logged nor retried. */
export class SessionEnded extends Error {}

/** One session's right to act: each attempt to connect has its own, and it ends with the session. */
export class Generation {
  #isCurrent = true;

  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  end(): void {
    this.#isCurrent = false;
  }

  /** Returns the result of the work, if the session still stands by then. @throws SessionEnded */
  async after<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    if (!this.#isCurrent) throw new SessionEnded('the session has ended meanwhile');
    return result;
  }
}
