import { setTimeout as delay } from 'node:timers/promises';
import type { BouncerSession } from '../ports/bouncer-session.ts';

/** How long a change of the nick waits for the network's answer. */
const ANSWER_WAIT_MS = 6_000;
const ANSWER_POLL_MS = 50;
/** How long after a nick was refused it is asked for again: whoever has it may be gone by then. */
const ASK_AGAIN_MS = 5 * 60 * 1_000;

/**
 * Asks the network for the account's nick: after each change, once on each connection that has another one, and now and
 * then while somebody else has it.
 */
export class Naming {
  /** The nick that the account is to have, as far as this session follows it. */
  nick = '';
  readonly #session: () => BouncerSession | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(session: () => BouncerSession | undefined) {
    this.#session = session;
  }

  ask(): void {
    this.stop();
    const session = this.#session();
    // After a refusal also for the nick in use: the bouncer still has the one that was refused for later connections.
    if (session === undefined || (session.nick === this.nick && session.nickRefusal === undefined)) return;
    session.changeNick(this.nick);
    this.#again = setTimeout(() => this.ask(), ASK_AGAIN_MS).unref();
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

  #isSettled(isWanted: () => boolean): boolean {
    const session = this.#session();
    if (session === undefined) return !isWanted();
    return session.nick === this.nick || session.nickRefusal !== undefined || session.upstream === false;
  }
}
