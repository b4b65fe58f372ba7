import { setTimeout as delay } from 'node:timers/promises';
import { SlidingWindow } from '../domain/sliding-window.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';

/** How long a change of the nick waits for the network's answer. */
const ANSWER_WAIT_MS = 6_000;
const ANSWER_POLL_MS = 50;
/** How long after a nick was refused it is asked for again: whoever has it may be gone by then. */
const ASK_AGAIN_MS = 5 * 60 * 1_000;
/** So often in such a time the network is asked: everybody in the channels sees each change, and servers punish who changes often. */
const QUESTIONS_MAX = 5;
const QUESTIONS_WINDOW_MS = 60_000;

/** What was asked for last. */
interface Asked {
  nick: string;
  session: BouncerSession;
  /** Monotonic milliseconds. */
  at: number;
}

/**
 * Asks the network for the account's nick: after each change, once on each connection that has another one, and now and
 * then while somebody else has it. One question is open at a time, and of nicks that change faster only the newest is
 * asked for.
 */
export class Naming {
  /** The nick that the account is to have, as far as this session follows it. */
  nick = '';
  readonly #session: () => BouncerSession | undefined;
  readonly #questions = new SlidingWindow(QUESTIONS_MAX, QUESTIONS_WINDOW_MS);
  #asked: Asked | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(session: () => BouncerSession | undefined) {
    this.#session = session;
  }

  /** Why the network does not give this nick, in its words; undefined where it does, or has not answered. */
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

  /** There is a new connection to the network: what was asked on the one before gets no answer any more. */
  askAnew(): void {
    this.#asked = undefined;
    this.ask();
  }

  /** Nothing is planned any more. */
  stop(): void {
    clearTimeout(this.#again);
  }

  /** Resolves when the nick is in use, or refused, when nobody waits for that any more, or after a while. */
  async settled(isWanted: () => boolean): Promise<void> {
    const deadline = performance.now() + ANSWER_WAIT_MS;
    while (!this.#isSettled(isWanted) && performance.now() < deadline) await delay(ANSWER_POLL_MS);
  }

  /** Asks, unless that is to be done later: gives the milliseconds until then. */
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

  #isSettled(isWanted: () => boolean): boolean {
    const session = this.#session();
    if (session === undefined) return !isWanted();
    return this.refusal !== undefined || !this.#isOwed(session) || session.upstream === false;
  }

  /** Also for the nick in use, where another was asked for since: the bouncer has that for later connections, and may still get it. */
  #isOwed(session: BouncerSession): boolean {
    const asked = this.#askedOf(session);
    return session.nick !== this.nick || session.nickRefusal !== undefined || (asked?.nick ?? this.nick) !== this.nick;
  }

  /** The question that the network has not answered yet, and may still answer. */
  #openOf(session: BouncerSession): Asked | undefined {
    const asked = this.#askedOf(session);
    if (asked === undefined || session.nick === asked.nick || session.nickRefusal !== undefined) return undefined;
    return performance.now() - asked.at < ANSWER_WAIT_MS ? asked : undefined;
  }

  /** What this session was asked for last. */
  #askedOf(session: BouncerSession | undefined): Asked | undefined {
    return this.#asked?.session === session ? this.#asked : undefined;
  }
}
