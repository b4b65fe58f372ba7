import type { LoginState, NetworkLogin } from '../domain/login-at-network.ts';
import { loginProblem } from '../domain/login-steps.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { LoginConnection } from './login-removal.ts';
import { approvedNetworkOf, type PresenceContext } from './presence-context.ts';

export interface LoginRecordParts {
  accountId: string;
  context: PresenceContext;
  connection: () => LoginConnection | undefined;
}

/**
 * Facts about an account's login at its network: the stored login, the account that the network names, and the problem that
 * its person and agents see.
 */
export class LoginRecord {
  /**
   * Account at the network by the bouncer's record of the present connection; the bouncer does not forward all of the
   * network's messages.
   */
  known: string | undefined;
  /** Reason why the last attempt did not log the account in. */
  lastProblem: string | undefined;
  readonly #parts: LoginRecordParts;

  constructor(parts: LoginRecordParts) {
    this.#parts = parts;
  }

  /** Account that this person is logged in to at the network, as far as it is known. */
  get account(): string | undefined {
    const session = this.#parts.connection()?.session;
    return session?.upstream === true ? (session.login.account ?? this.known) : undefined;
  }

  /** Reason why the account is not logged in with the entered proof; undefined if it is, or if no proof was entered. */
  get problem(): string | undefined {
    return this.account === undefined ? this.lastProblem : undefined;
  }

  user(): Promise<BouncerUser> {
    const { accountId, context } = this.#parts;
    return context.store.accounts.bouncerUser(accountId);
  }

  /** Finds the login for the account's network; undefined while the session has not followed a move to it. */
  find(user: BouncerUser): Promise<NetworkLogin | undefined> {
    const { accountId, context, connection } = this.#parts;
    const network = approvedNetworkOf(context, user);
    // The session may still be on a former network, which must not get this login.
    if ((connection()?.network ?? network.name) !== network.name) return Promise.resolve(undefined);
    return context.store.networkLogins.find(accountId, network);
  }

  /** Stores the state of a login. @param words the network's reason */
  async note({ loginId }: NetworkLogin, state: LoginState, words: string | null = null): Promise<void> {
    await this.#parts.context.store.networkLogins.note(loginId, state, words);
    this.lastProblem = loginProblem(state, words);
  }
}
