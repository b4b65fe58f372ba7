import { setTimeout as delay } from 'node:timers/promises';
import type { BouncerSession } from '../ports/bouncer-session.ts';

/** How long a change of the nick waits for the network's answer. */
const ANSWER_WAIT_MS = 6_000;
const ANSWER_POLL_MS = 50;

/**
 * Asks the network for the account's nick: after each change, and once on each connection that has another one. A server
 * that refuses it is not asked again until then; the bouncer itself takes the nick when it becomes free.
 */
export class Naming {
  /** The nick that the account is to have, as far as this session follows it. */
  nick = '';
  readonly #session: () => BouncerSession | undefined;

  constructor(session: () => BouncerSession | undefined) {
    this.#session = session;
  }

  ask(): void {
    const session = this.#session();
    if (session === undefined) return;
    // After a refusal also for the nick in use: the bouncer still waits for the one that was refused.
    if (session.nick !== this.nick || session.nickRefusal !== undefined) session.changeNick(this.nick);
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
