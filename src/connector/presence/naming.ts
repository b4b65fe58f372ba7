import { SlidingWindow } from '../domain/sliding-window.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { until } from './until.ts';

/** Longest wait of a nick change for the network's answer. */
const ANSWER_WAIT_MS = 6_000;
const ANSWER_POLL_MS = 50;
/** Wait before a refused nick is requested again: its owner may be gone by then. */
const ASK_AGAIN_MS = 5 * 60 * 1_000;
/**
 * At most this many NICK commands per minute: all members of the channels see each change, and servers punish frequent
 * ones.
 */
const QUESTIONS_MAX = 5;
const QUESTIONS_WINDOW_MS = 60_000;

/** The last request. */
interface Asked {
  nick: string;
  session: BouncerSession;
  /** Monotonic milliseconds. */
  at: number;
}

/**
 * Requests the account's nick from the network: after each change, once on each connection with another nick, and at an
 * interval while another user has it. At most one request is open; of rapid changes only the newest nick is requested.
 */
export class Naming {
  /** Wanted nick of the account, as far as this session follows it. */
  nick = '';
  readonly #session: () => BouncerSession | undefined;
  readonly #questions = new SlidingWindow(QUESTIONS_MAX, QUESTIONS_WINDOW_MS);
  #asked: Asked | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(session: () => BouncerSession | undefined) {
    this.#session = session;
  }

  /** The network's reason for refusing this nick; undefined if it did not refuse, or has not answered. */
  get refusal(): string | undefined {
    const asked = this.#askedOf(this.#session());
    return asked?.nick === this.nick ? asked.session.nickRefusal : undefined;
  }

  ask(): void {
    const session = this.#session();
    if (session === undefined || !this.#isOwed(session)) {
      this.stop();
      return;
    }
    this.#askIn(this.#ask(session) ?? ASK_AGAIN_MS);
  }

  /** Handles a new connection to the network: a request on the former one gets no answer. */
  askAnew(): void {
    this.#asked = undefined;
    this.ask();
  }

  /** Cancels all plans. */
  stop(): void {
    clearTimeout(this.#again);
  }

  /** Resolves when the nick is in use or refused, when the answer is no longer awaited, or after `ANSWER_WAIT_MS`. */
  settled(isAwaited: () => boolean): Promise<boolean> {
    return until(() => !isAwaited() || this.#isSettled(), ANSWER_WAIT_MS, ANSWER_POLL_MS);
  }

  /** Sends the request, or returns the milliseconds after which it may be sent. */
  #ask(session: BouncerSession): number | undefined {
    const { nick } = this;
    const open = this.#openOf(session);
    if (open !== undefined) return open.nick === nick ? undefined : ANSWER_POLL_MS;
    const at = performance.now();
    const waitMs = this.#questions.take(at);
    if (waitMs > 0) return waitMs;
    this.#asked = { nick, session, at };
    session.changeNick(nick);
    return undefined;
  }

  #askIn(ms: number): void {
    this.stop();
    this.#again = setTimeout(() => this.ask(), ms).unref();
  }

  #isSettled(): boolean {
    const session = this.#session();
    if (session === undefined) return false;
    return this.refusal !== undefined || !this.#isOwed(session) || session.upstream === false;
  }

  /**
   * Whether the nick must be requested. Also true for the nick in use if another was requested since: the bouncer keeps
   * that for later connections, and may still get it.
   */
  #isOwed(session: BouncerSession): boolean {
    const asked = this.#askedOf(session);
    return session.nick !== this.nick || session.nickRefusal !== undefined || (asked?.nick ?? this.nick) !== this.nick;
  }

  /** Returns the request that the network has not answered yet, and may still answer. */
  #openOf(session: BouncerSession): Asked | undefined {
    const asked = this.#askedOf(session);
    if (asked === undefined || session.nick === asked.nick || session.nickRefusal !== undefined) return undefined;
    return performance.now() - asked.at < ANSWER_WAIT_MS ? asked : undefined;
  }

  /** Returns the last request of this session. */
  #askedOf(session: BouncerSession | undefined): Asked | undefined {
    return this.#asked?.session === session ? this.#asked : undefined;
  }
}
