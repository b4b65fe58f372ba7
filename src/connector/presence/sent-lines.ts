interface Written {
  channel: string;
  at: number;
}

/**
 * The lines written on one pair of connections, to the bouncer and on to the server, and which of them the server has
 * handled. New connections have lines of their own.
 */
export class SentLines {
  readonly #written = new Map<string, Written>();
  readonly #passed = new Set<string>();
  #isAsking = false;

  wrote(tag: string, written: Written): void {
    this.#written.set(tag, written);
  }

  /**
   * When the newest line of a channel was written that nothing has decided yet; `keep` drops settled lines.
   * @param since what was written earlier and is silent is waited for no longer
   */
  undecidedIn(channel: string, since: number): number | undefined {
    const undecided = [...this.#written].filter(
      ([tag, written]) => written.channel === channel && !this.#passed.has(tag) && written.at > since,
    );
    return undecided.at(-1)?.[1].at;
  }

  has(tag: string): boolean {
    return this.#written.has(tag);
  }

  /** Whether it was written after this time. */
  wasWrittenSince(tag: string, since: number): boolean {
    return (this.#written.get(tag)?.at ?? Number.NEGATIVE_INFINITY) > since;
  }

  /** Whether the server has answered a question that was asked after the line. */
  isPassed(tag: string): boolean {
    return this.#passed.has(tag);
  }

  /** Records the lines before a question. Call the result with whether an answer came. Undefined while a question is open. */
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
