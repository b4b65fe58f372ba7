import type { PartFate } from '../domain/outgoing-message.ts';

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

  /** When the newest unsettled line of a channel was written; `keep` drops settled lines. */
  undecidedIn(channel: string): number | undefined {
    return [...this.#written.values()].findLast((written) => written.channel === channel)?.at;
  }

  has(tag: string): boolean {
    return this.#written.has(tag);
  }

  fateOf(tag: string): PartFate {
    return { isOnLink: this.#written.has(tag), isPassed: this.#passed.has(tag) };
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
