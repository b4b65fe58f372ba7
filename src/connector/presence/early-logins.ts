import { ORDER_DEADLINE_MS } from '../domain/limits.ts';
import type { LoginState, NetworkLogin } from '../domain/login-at-network.ts';

/**
 * Notices a login that was tried before the order to try it came: a process that gets an account finds both, and follows
 * what waits when it attaches. Tried once more, the login would make the account leave the network and come back.
 */
export class EarlyLogins {
  /** Login of the last order. */
  #ordered: string | undefined;
  #early: { loginId: string; at: number } | undefined;

  /** Handles the end of an attempt. */
  ended({ loginId }: NetworkLogin, state: LoginState): void {
    if (state === 'accepted' && this.#ordered !== loginId) this.#early = { loginId, at: performance.now() };
  }

  /** Handles an order. Returns whether the login was accepted before it: no order comes later than its deadline. */
  isDone({ loginId, state }: NetworkLogin): boolean {
    const early = this.#early;
    this.#ordered = loginId;
    this.#early = undefined;
    return state === 'accepted' && early?.loginId === loginId && performance.now() - early.at < ORDER_DEADLINE_MS;
  }
}
