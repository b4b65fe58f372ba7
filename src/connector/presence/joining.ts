import { resolveChannel } from '../domain/channel.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { Rejoin } from './rejoin.ts';
import { until } from './until.ts';

/** Longest wait of going online for the network and its channels; then it answers without them. */
const JOIN_WAIT_MS = 6_000;
/**
 * At most this many JOINs on a person's request, and departures from other channels, per 30 s: each delays one outgoing
 * line.
 */
const QUESTIONS_MAX = 8;
const QUESTIONS_WINDOW_MS = 30_000;

/** Most channels that wait to be left; others are left when the account next goes online. */
const STRAYS_MAX = 100;
/** Numeric of a channel whose key was missing or wrong; RFC 2812 §5.2. */
const BAD_KEY = '475';

const NO_KEY = 'the channel has a key: an owner puts it into the file of bouncer.soju.channelKeysFile';
const OTHER_KEY =
  'the channel has another key than the file of bouncer.soju.channelKeysFile: an owner corrects it there and reloads the connector';

/**
 * Keeps the account in exactly its enabled channels. The bouncer joins them only once, when the network connects. This
 * class joins again after kicks and with keys, and leaves other channels.
 */
export class Joining {
  /** Enabled channels, as far as this session follows them. */
  channels: readonly string[] = [];
  readonly #session: () => BouncerSession | undefined;
  readonly #rejoin: Rejoin;
  /** Channel → timer of its delayed departure. */
  readonly #strays = new Map<string, NodeJS.Timeout>();
  readonly #questions = new SlidingWindow(QUESTIONS_MAX, QUESTIONS_WINDOW_MS);
  /** Channel → key that this connection was offered: a wrong one is offered once. */
  readonly #offered = new Map<string, string>();
  readonly #keyOf: (channel: string) => string | undefined;

  /** @param keyOf returns the key of a channel, if there is one */
  constructor(
    session: () => BouncerSession | undefined,
    keyOf: (channel: string) => string | undefined = () => undefined,
  ) {
    this.#session = session;
    this.#keyOf = keyOf;
    // While the state of the network is unknown, further attempts stay planned.
    this.#rejoin = new Rejoin({ join: (channel) => this.#ask(channel) || this.#session()?.upstream === null });
  }

  /** Offers the known key to channels that require one: the bouncer has no key, or a former one. */
  offerKeys(): void {
    const session = this.#session();
    for (const channel of session?.upstream === true ? this.channels : []) {
      const key = this.#keyOf(channel);
      const isAsked = session?.notJoinedReason(channel)?.startsWith(`${BAD_KEY} `) === true;
      if (key === undefined || !isAsked || this.#offered.get(channel) === key) continue;
      this.#join(channel, key);
    }
  }

  /** Returns why the account is not in the channel, with a remedy; undefined without an answer of the server. */
  reasonOf(channel: string): string | undefined {
    const reason = this.#session()?.notJoinedReason(channel);
    if (reason === undefined || !reason.startsWith(`${BAD_KEY} `)) return reason;
    return `${reason} (${this.#keyOf(channel) === undefined ? NO_KEY : OTHER_KEY})`;
  }

  /** Handles a new connection to the network, which was offered no keys yet. */
  connectedAnew(): void {
    this.#offered.clear();
  }

  /** Joins all missing channels at a person's request, or soon if there were many requests. */
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

  /** Plans to rejoin a channel after a kick or another forced departure. */
  leftFrom(channel: string): void {
    this.#rejoin.later(channel);
  }

  /**
   * Leaves a channel that is not enabled, into which a forward, a rename or another client brought the account: at
   * once, or later if the server does so repeatedly.
   */
  strayedInto(channel: string): void {
    // The bouncer may know of a channel before the session does.
    if (this.#strays.has(channel) || resolveChannel(channel, this.channels, this.#session()?.casemapping) !== undefined)
      return;
    const waitMs = this.#questions.take(performance.now());
    if (waitMs === 0) this.#session()?.part(channel);
    else if (this.#strays.size < STRAYS_MAX) {
      const timer = setTimeout(() => {
        this.#strays.delete(channel);
        // The channel may be enabled by now, or the account may have left it.
        const session = this.#session();
        const isThere =
          session !== undefined && resolveChannel(channel, session.joinedChannels, session.casemapping) !== undefined;
        if (isThere && resolveChannel(channel, this.channels, this.#session()?.casemapping) === undefined)
          session.part(channel);
      }, waitMs);
      this.#strays.set(channel, timer);
    }
  }

  /**
   * Plans to join all missing channels: the account may have been kicked while the program was not connected, and the
   * bouncer does not rejoin by itself.
   */
  askForAllLater(): void {
    for (const channel of this.channels) this.#rejoin.later(channel);
  }

  /** Cancels all plans. */
  stop(): void {
    for (const timer of this.#strays.values()) clearTimeout(timer);
    this.#strays.clear();
    this.#rejoin.reset();
  }

  /**
   * Resolves when each channel has accepted or refused the account, when the answers are no longer awaited, or after
   * `JOIN_WAIT_MS`.
   */
  settled(isAwaited: () => boolean): Promise<boolean> {
    return until(() => !isAwaited() || this.#isSettled(), JOIN_WAIT_MS);
  }

  #isSettled(): boolean {
    const session = this.#session();
    if (session?.upstream !== true) return false;
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

  /** Sends a JOIN; false if it is pointless. */
  #ask(channel: string): boolean {
    if (!this.#isWorthAsking(channel)) return false;
    this.#join(channel, this.#keyOf(channel));
    return true;
  }

  /** Sends a JOIN. The key is recorded first: the session reports the JOIN at once. */
  #join(channel: string, key: string | undefined): void {
    if (key !== undefined) this.#offered.set(channel, key);
    this.#session()?.join(channel, key);
  }
}
