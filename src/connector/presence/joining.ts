import { setTimeout as delay } from 'node:timers/promises';
import { resolveChannel } from '../domain/channel.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { Rejoin } from './rejoin.ts';

/** How long going online waits for the upstream and its channels before it answers without them. */
const JOIN_WAIT_MS = 6_000;
const JOIN_POLL_MS = 50;
/** So many questions to be let in, and departures from other channels, go out in such a time: each takes the turn of a line. */
const QUESTIONS_MAX = 8;
const QUESTIONS_WINDOW_MS = 30_000;

/** Channels that wait to be left; others are left when the account goes online the next time. */
const STRAYS_MAX = 100;

/** Sees to it that the account is in its enabled channels and in no others. The bouncer joins them once, when the network connects. */
export class Joining {
  /** The channels that are enabled, as far as this session follows them. */
  channels: readonly string[] = [];
  readonly #session: () => BouncerSession | undefined;
  readonly #rejoin: Rejoin;
  /** Channels that are to be left a little later. */
  readonly #strays = new Map<string, NodeJS.Timeout>();
  readonly #questions = new SlidingWindow(QUESTIONS_MAX, QUESTIONS_WINDOW_MS);

  constructor(session: () => BouncerSession | undefined) {
    this.#session = session;
    // While the state of the network is unknown, further attempts stay planned.
    this.#rejoin = new Rejoin({ join: (channel) => this.#ask(channel) || this.#session()?.upstream === null });
  }

  /** Somebody wants the account in its channels: it asks for each that it is not in, or soon when it has asked much. */
  askForAll(): void {
    for (const channel of this.channels) {
      if (!this.#isWorthAsking(channel)) continue;
      const waitMs = this.#questions.take(performance.now());
      if (waitMs > 0) {
        this.#rejoin.within(channel, waitMs);
        continue;
      }
      this.#rejoin.forget(channel);
      this.#ask(channel);
    }
  }

  /** The account was kicked, or made to leave in another way: it comes back after a while. */
  leftFrom(channel: string): void {
    this.#rejoin.later(channel);
  }

  /**
   * The account was brought into a channel that is not enabled, by a forward, a rename or another client: it leaves at once, or
   * soon where the server does so again and again.
   */
  strayedInto(channel: string): void {
    // The bouncer may be told of a channel before the session is.
    if (this.#strays.has(channel) || resolveChannel(channel, this.channels, this.#session()?.casemapping) !== undefined)
      return;
    const waitMs = this.#questions.take(performance.now());
    if (waitMs === 0) this.#session()?.part(channel);
    else if (this.#strays.size < STRAYS_MAX) {
      const timer = setTimeout(() => {
        this.#strays.delete(channel);
        // It may be enabled by now, or the account is not there any more.
        const session = this.#session();
        const isThere =
          session !== undefined && resolveChannel(channel, session.joinedChannels, session.casemapping) !== undefined;
        if (isThere && resolveChannel(channel, this.channels, this.#session()?.casemapping) === undefined)
          session.part(channel);
      }, waitMs);
      this.#strays.set(channel, timer);
    }
  }

  /** The account may have been kicked while the program was not connected; the bouncer does not rejoin by itself. */
  askForAllLater(): void {
    for (const channel of this.channels) this.#rejoin.later(channel);
  }

  /** Nothing is planned any more. */
  stop(): void {
    for (const timer of this.#strays.values()) clearTimeout(timer);
    this.#strays.clear();
    this.#rejoin.reset();
  }

  /** Resolves when each channel has let the account in or said why not, when nobody waits for that any more, or after a while. */
  async settled(isWanted: () => boolean): Promise<void> {
    const deadline = performance.now() + JOIN_WAIT_MS;
    while (!this.#isSettled(isWanted) && performance.now() < deadline) await delay(JOIN_POLL_MS);
  }

  #isSettled(isWanted: () => boolean): boolean {
    const session = this.#session();
    if (session?.upstream !== true) return !isWanted();
    return this.channels.every(
      (channel) =>
        resolveChannel(channel, session.joinedChannels, session.casemapping) !== undefined ||
        session.notJoinedReason(channel) !== undefined,
    );
  }

  #isWorthAsking(channel: string): boolean {
    const session = this.#session();
    if (session?.upstream !== true || !this.channels.includes(channel)) return false;
    return resolveChannel(channel, session.joinedChannels, session.casemapping) === undefined;
  }

  /** False when asking is pointless. */
  #ask(channel: string): boolean {
    if (!this.#isWorthAsking(channel)) return false;
    this.#session()?.join(channel);
    return true;
  }
}
