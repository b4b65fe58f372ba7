import type { Store } from 'express-rate-limit';

/** Keys counted at once; for a further one the oldest is forgotten, so that memory stays bounded. */
const KEYS_MAX = 10_000;

/** Hits of each key in the minute that began with its first one. */
export class HitCounts implements Store {
  readonly localKeys = true;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, { hits: number; endsAt: number }>();

  /** @param now wall clock, milliseconds since 1970 */
  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  increment(key: string): { totalHits: number; resetTime: Date } {
    const count = this.#current(key) ?? this.#begin(key);
    count.hits += 1;
    return { totalHits: count.hits, resetTime: new Date(count.endsAt) };
  }

  decrement(key: string): void {
    const count = this.#current(key);
    if (count !== undefined) count.hits = Math.max(0, count.hits - 1);
  }

  resetKey(key: string): void {
    this.#counts.delete(key);
  }

  #current(key: string): { hits: number; endsAt: number } | undefined {
    const count = this.#counts.get(key);
    const now = this.#now();
    // A window that ends more than its own length from now began before the clock was set back.
    return count !== undefined && now < count.endsAt && count.endsAt <= now + this.#windowMs ? count : undefined;
  }

  #begin(key: string): { hits: number; endsAt: number } {
    const count = { hits: 0, endsAt: this.#now() + this.#windowMs };
    this.#counts.delete(key);
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size >= KEYS_MAX) this.#counts.delete(oldest);
    this.#counts.set(key, count);
    return count;
  }
}
