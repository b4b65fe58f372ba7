import type { ObservedLine } from '../ports/bouncer-session.ts';

/** Most lines that are held for one account; above it, saving memory is more important than the order of arrival. */
const HELD_MAX = 5_000;
/** Most of them with its own nick: each takes several statements in the transaction of a page, in which others wait. */
const OWN_MAX = 500;

/** Held lines of a channel that can be stored once a page is there. */
export interface SettledLines {
  /** Lines older than the page's period: no page has them. */
  early: ObservedLine[];
  /** Lines from the page's period: the page has them if the bouncer stored them. */
  covered: ObservedLine[];
}

/**
 * Holds live lines of a channel while its earlier lines are being replayed, so that these are stored first. When the
 * session is lost meanwhile, the next one replays them.
 */
export class HeldLines {
  #lines: ObservedLine[] = [];

  get isFull(): boolean {
    return this.#lines.length >= HELD_MAX || this.#lines.filter(({ own }) => own?.isNick === true).length >= OWN_MAX;
  }

  add(lines: readonly ObservedLine[]): void {
    this.#lines.push(...lines);
  }

  /**
   * Returns the lines that the page decides about; they stay held until `drop`.
   * @param next undefined for the last page
   */
  settledBy(channel: string, from: number, next: number | undefined): SettledLines {
    const settled: SettledLines = { early: [], covered: [] };
    for (const observed of this.#lines) {
      const { channel: of, serverAt } = observed.line;
      if (of !== channel) continue;
      if (serverAt !== undefined && serverAt < from) settled.early.push(observed);
      else if (next === undefined || serverAt === undefined || serverAt < next) settled.covered.push(observed);
    }
    return settled;
  }

  /** Returns all held lines, or those of one channel. */
  of(channel?: string): ObservedLine[] {
    return channel === undefined ? [...this.#lines] : this.#lines.filter(({ line }) => line.channel === channel);
  }

  /** Channels of which lines are held. */
  channels(): ReadonlySet<string> {
    return new Set(this.#lines.map(({ line }) => line.channel));
  }

  drop(stored: readonly ObservedLine[]): void {
    const gone = new Set(stored);
    this.#lines = this.#lines.filter((observed) => !gone.has(observed));
  }
}
