interface Written {
  channel: string;
  at: number;
}

/**
 * Tracks the lines written on one pair of connections, to the bouncer and on to the server, and which of them the
 * server has handled. New connections have their own instance.
 */
export class SentLines {
  readonly #written = new Map<string, Written>();
  readonly #passed = new Set<string>();
  #isAsking = false;

  wrote(tag: string, written: Written): void {
    this.#written.set(tag, written);
  }

  /**
   * Returns the time of the channel's newest undecided line; `keep` drops settled lines.
   * @param since earlier lines are no longer waited for
   */
  undecidedIn(channel: string, since: number): number | undefined {
    const undecided = [...this.#written].filter(
      ([tag, written]) => written.channel === channel && !this.#passed.has(tag) && written.at > since,
    );
    return undecided.at(-1)?.[1].at;
  }

  /** Whether a line is undecided: neither settled, so that `keep` dropped it, nor passed. */
  get isUndecided(): boolean {
    return [...this.#written.keys()].some((tag) => !this.#passed.has(tag));
  }

  has(tag: string): boolean {
    return this.#written.has(tag);
  }

  /** Whether the line was written after this time. */
  wasWrittenSince(tag: string, since: number): boolean {
    return (this.#written.get(tag)?.at ?? Number.NEGATIVE_INFINITY) > since;
  }

  /** Whether the server has answered a probe that was sent after the line. */
  isPassed(tag: string): boolean {
    return this.#passed.has(tag);
  }

  /**
   * Records the lines before a probe. Returns a function to call with whether an answer came; undefined while a probe
   * is open.
   */
  ask(): ((isAnswered: boolean) => void) | undefined {
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    const tags = [...this.#written.keys()];
    return (isAnswered) => {
      this.#isAsking = false;
      if (isAnswered) for (const tag of tags) this.#passed.add(tag);
    };
  }

  /** Forgets all lines but these. */
  keep(tags: ReadonlySet<string>): void {
    for (const known of [this.#written, this.#passed]) {
      for (const tag of known.keys()) if (!tags.has(tag)) known.delete(tag);
    }
  }
}
