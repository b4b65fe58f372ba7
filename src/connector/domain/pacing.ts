import { BOUNCER_BURST_LINES, CONNECT_LINES, SEND_BURST_LINES, SEND_INTERVAL_MS } from './limits.ts';

/** Token bucket of one account's lines, and behind it the bouncer's own, which holds more and earns as fast. Times are monotonic milliseconds. */
export class Pacing {
  #tokens = SEND_BURST_LINES;
  /** What the bouncer passes on without delay; below 0 while more was said than that. */
  #bouncerTokens = BOUNCER_BURST_LINES;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Takes a token and returns 0, or returns the milliseconds until there is one. */
  take(now: number): number {
    const waitMs = this.turnOf(1, now);
    if (waitMs > 0) return waitMs;
    this.#tokens -= 1;
    this.#leave(this.#bouncerTokens - 1);
    return 0;
  }

  /** Milliseconds until so many tokens will have been there to take. */
  turnOf(count: number, now: number): number {
    this.#fill(now);
    return count <= this.#tokens ? 0 : this.#filledAt + (count - this.#tokens) * SEND_INTERVAL_MS - now;
  }

  /** A line was said that waits for no turn: it takes one from those that do only where the bouncer has none to spare. */
  spend(now: number): void {
    this.#fill(now);
    this.#leave(this.#bouncerTokens - 1);
  }

  /** The bouncer has just connected to the server, in so many channels. */
  connected(channelCount: number, now: number): void {
    this.#tokens = SEND_BURST_LINES;
    this.#leave(BOUNCER_BURST_LINES - CONNECT_LINES - channelCount);
    this.#filledAt = now;
  }

  /** So many lines were said lately, before this bucket was there to count them. */
  recall(lineCount: number, now: number): void {
    this.#fill(now);
    this.#leave(Math.min(this.#bouncerTokens, BOUNCER_BURST_LINES - lineCount));
  }

  #leave(bouncerTokens: number): void {
    this.#bouncerTokens = bouncerTokens;
    this.#tokens = Math.min(this.#tokens, bouncerTokens);
  }

  #fill(now: number): void {
    const earned = Math.floor((now - this.#filledAt) / SEND_INTERVAL_MS);
    this.#tokens = Math.min(SEND_BURST_LINES, this.#tokens + earned);
    this.#bouncerTokens = Math.min(BOUNCER_BURST_LINES, this.#bouncerTokens + earned);
    const isFull = this.#tokens === SEND_BURST_LINES && this.#bouncerTokens === BOUNCER_BURST_LINES;
    this.#filledAt = isFull ? now : this.#filledAt + earned * SEND_INTERVAL_MS;
  }
}
