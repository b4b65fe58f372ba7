import { type LoginProof, type LoginState, type NetworkLogin, withoutPassword } from '../domain/login-at-network.ts';
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
  /** The last proof that was found: the server may still repeat its password when it is removed. */
  #proof: LoginProof | undefined;
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

  /** Returns words of the network without the login's password, which a server may repeat. */
  masked(words: string): string {
    return withoutPassword(words, this.#proof);
  }

  user(): Promise<BouncerUser> {
    const { accountId, context } = this.#parts;
    return context.store.accounts.bouncerUser(accountId);
  }

  /** Finds the login for the account's network; undefined while the session has not followed a move to it. */
  async find(user: BouncerUser): Promise<NetworkLogin | undefined> {
    const { accountId, context, connection } = this.#parts;
    const network = approvedNetworkOf(context, user);
    // The session may still be on a former network, which must not get this login.
    if ((connection()?.network ?? network.name) !== network.name) return undefined;
    const login = await context.store.networkLogins.find(accountId, network);
    if (login?.proof !== undefined) this.#proof = login.proof;
    return login;
  }

  /** Stores the state of a login. @param words the network's reason */
  async note({ loginId }: NetworkLogin, state: LoginState, words: string | null = null): Promise<void> {
    await this.#parts.context.store.networkLogins.note(loginId, state, words);
    this.lastProblem = loginProblem(state, words);
  }
}
