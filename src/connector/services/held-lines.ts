import type { ObservedLine } from '../ports/bouncer-session.ts';

/** Lines that may be held for one account; beyond it order by arrival is worth less than memory. */
const HELD_MAX = 5_000;

/** What a page of a channel decides about the lines held for it. */
export interface SettledLines {
  /** Older than everything the page could have: nothing but live. */
  early: ObservedLine[];
  /** In the page, where the bouncer has kept them. */
  covered: ObservedLine[];
}

/** Live lines of channels of which earlier ones are still being asked for, so that what came first is stored first. */
export class HeldLines {
  #lines: ObservedLine[] = [];

  get isFull(): boolean {
    return this.#lines.length >= HELD_MAX;
  }

  add(lines: readonly ObservedLine[]): void {
    this.#lines.push(...lines);
  }

  /** Lines the page decides about; they stay held until `drop`. @param next undefined for the last page */
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

  /** Everything held, of one channel where it is named. */
  of(channel?: string): ObservedLine[] {
    return channel === undefined ? [...this.#lines] : this.#lines.filter(({ line }) => line.channel === channel);
  }

  drop(stored: readonly ObservedLine[]): void {
    const gone = new Set(stored);
    this.#lines = this.#lines.filter((observed) => !gone.has(observed));
  }
}
