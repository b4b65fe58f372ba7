import type { LoginProof } from '../domain/login-at-network.ts';

/** Name and password of an account at an IRC network. */
export type Password = Pick<Extract<LoginProof, { kind: 'password' }>, 'name' | 'password'>;

/** The bouncer's record of a user's login at the present network. */
export interface LoginAtBouncer {
  /** Kind of login that the bouncer offers each time it connects. */
  offers: 'password' | 'certificate' | 'nothing';
  /** Account that the user is logged in to, as the network reports; undefined without one, and while disconnected. */
  account: string | undefined;
}

/** Result of an attempt to log in. */
export type LoginAnswer =
  | { outcome: 'accepted' }
  | { outcome: 'refused'; words: string }
  /** NickServ has answered; only the server could confirm that this means success. */
  | { outcome: 'answered'; words: string }
  | { outcome: 'unsupported'; words: string }
  /** The network has lost its services for now. */
  | { outcome: 'unavailable'; words: string }
  /** No answer came in time, or the connection has ended. */
  | { outcome: 'unanswered' };

/** The login of the present connection to the network. */
export interface SessionLogin {
  /**
   * Account that this person is logged in to, as the network reports; undefined without one, or if the bouncer does not
   * forward the report.
   */
  readonly account: string | undefined;
  /** Logs in on this connection. One attempt at a time. */
  logIn(password: Password, deadlineMs: number): Promise<LoginAnswer>;
}
