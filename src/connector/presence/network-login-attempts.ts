import { type NetworkLogin, withoutPassword } from '../domain/login-at-network.ts';
import { type LoginWay, unusedProblem } from '../domain/login-steps.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { LoginAnswer } from '../ports/bouncer-logins.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { EarlyLogins } from './early-logins.ts';
import { answerOf, stateAfter } from './login-answers.ts';
import type { LoginRecord } from './login-record.ts';
import { forgetCleared, type LoginConnection } from './login-removal.ts';
import { accountOf, type PresenceContext } from './presence-context.ts';

/** Attempt that this process has begun. Unfinished attempts of other processes count as unanswered. */
export interface Attempt {
  readonly login: NetworkLogin;
  readonly user: BouncerUser;
  /** Ways that were tried: each only once. */
  readonly ways: Set<LoginWay>;
  /** Whether the session has sent the login, and the network has not answered yet. */
  isPending: boolean;
  /** Number of the connection since which the bouncer offers the password: only later ones can be logged in by it. */
  offeredAfter: number;
  /** Whether the bouncer could not be asked to connect again: there may be no such connection. */
  isStalled: boolean;
  /** The network's answer on the session, until it is handled: a failure must not lose it. */
  answer: LoginAnswer | undefined;
  /** The result, until it is stored and the bouncer has followed it. */
  end: LoginAnswer | undefined;
}

/** Makes an attempt that has not begun. */
export const attemptOf = (login: NetworkLogin, user: BouncerUser, ways: readonly LoginWay[] = []): Attempt => ({
  ...{ login, user, ways: new Set(ways) },
  ...{ isPending: false, isStalled: false, offeredAfter: -1, answer: undefined, end: undefined },
});

export interface NetworkLoginAttemptsParts {
  accountId: string;
  context: PresenceContext;
  record: LoginRecord;
  connection: () => LoginConnection | undefined;
  /** Called when the reported state of the login has changed. */
  changed: () => void;
  /** Takes the next step in the account's turn. */
  next: () => void;
}

/**
 * Attempts to log an account in at its network, of which at most one is under way: what is sent to the network, what the
 * bouncer offers from then on, and what is stored of the answer. The state of an attempt stays here until all of it is done,
 * so that a failure of the bouncer or the database is followed by the same step again. `AccountLogin` decides on the steps.
 */
export class NetworkLoginAttempts {
  readonly early = new EarlyLogins();
  readonly #parts: NetworkLoginAttemptsParts;
  #attempt: Attempt | undefined;
  /** Number of connections to the network that this object was notified of. */
  #connections = 0;

  constructor(parts: NetworkLoginAttemptsParts) {
    this.#parts = parts;
  }

  /** Whether an attempt has not ended: another process would not know its answer. */
  get isUnderWay(): boolean {
    return this.#attempt !== undefined;
  }

  /** Returns the attempt with this login; undefined if there is none. */
  of({ loginId }: NetworkLogin): Attempt | undefined {
    return this.#attempt?.login.loginId === loginId ? this.#attempt : undefined;
  }

  /** Whether the bouncer offers the login from its next connection on, which is still to come. */
  isOffered({ ways, offeredAfter }: Attempt): boolean {
    return ways.has('registration') && offeredAfter === this.#connections;
  }

  /** Handles a new connection to the network. */
  connected(): void {
    this.#connections += 1;
  }

  /** Drops the attempt. */
  drop(): void {
    this.#attempt = undefined;
  }

  /** Handles an answer, or completes an end that was not stored; undefined if there is neither. */
  proceed(session: BouncerSession): Promise<void> | undefined {
    const attempt = this.#attempt;
    if (attempt?.end !== undefined) return this.end(attempt, attempt.end);
    return attempt?.answer === undefined ? undefined : this.#answered(session, attempt, attempt.answer);
  }

  /** Begins an attempt. ended-ok: it checks the session after its awaits, and an ended session does not answer. */
  async begin(login: NetworkLogin, user: BouncerUser): Promise<void> {
    const { context, accountId, record } = this.#parts;
    const { logins } = context.bouncer;
    const attempt = attemptOf(login, user);
    const { nick } = await accountOf(context, accountId);
    const session = this.#session;
    // The bouncer knows more than this object does just after a connection.
    const known = session?.upstream === true ? (record.account ?? (await logins.at(user)).account) : undefined;
    // Otherwise the bouncer's certificate could answer for the password.
    const isAsked = session?.upstream === true && known === undefined && login.proof?.kind === 'password';
    if (isAsked) await logins.set(user, null);
    // The next connection tries it.
    if (session === undefined || this.#session !== session) return record.note(login, login.state);
    if (isAsked) return this.ask(session, attempt);
    // Servers refuse a second login on a connection.
    if (session.upstream === true) return this.#offerAnew(attempt, nick);
    await this.offer(attempt);
    await this.#parts.connection()?.connectNetwork(user, nick);
  }

  /** Sets the password that the bouncer offers from its next connection on. */
  async offer(attempt: Attempt): Promise<void> {
    const { login, user } = attempt;
    await this.#noteTrying(login);
    attempt.ways.add('registration');
    attempt.offeredAfter = this.#connections;
    this.#attempt = attempt;
    if (login.proof?.kind === 'password') await this.#parts.context.bouncer.logins.set(user, login.proof);
  }

  /**
   * Sends the login on the established connection; the account's turn does not wait for the answer.
   * ended-ok: an ended session does not answer.
   */
  async ask(session: BouncerSession, attempt: Attempt): Promise<void> {
    const { login } = attempt;
    if (login.proof?.kind !== 'password') return;
    await this.#noteTrying(login);
    attempt.ways.add('session');
    attempt.isPending = true;
    this.#attempt = attempt;
    void answerOf(session, login.proof).then((answer) => {
      attempt.isPending = false;
      // If no answer came because the connection has ended, the next one decides.
      const isKept = answer.outcome !== 'unanswered' || (this.#session === session && session.upstream === true);
      if (isKept) attempt.answer = answer;
      if (this.#attempt === attempt) this.#parts.next();
    });
  }

  /** Records an answer of the last connection before the next one is prepared. */
  async finish(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt?.end !== undefined) return this.end(attempt, attempt.end);
    const answer = attempt?.answer;
    if (attempt === undefined || answer === undefined) return;
    attempt.answer = undefined;
    // Whether NickServ has agreed was to be seen on that connection alone.
    if (answer.outcome !== 'unanswered' && answer.outcome !== 'answered') await this.end(attempt, answer);
  }

  /** Ends the attempt: the bouncer offers an accepted password from now on, and no other one. Failures are retried. */
  async end(attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { context, record, changed } = this.#parts;
    const { login, user } = attempt;
    attempt.end = answer;
    this.#attempt = attempt;
    const present = await record.find(user);
    // It was forgotten before its answer.
    if (present?.state === 'cleared') return this.forget(user);
    const state = stateAfter(answer, login.state === 'accepted');
    // Otherwise another login has replaced it, and the bouncer must keep that one.
    if (present?.loginId === login.loginId) {
      const { proof } = login;
      const offered = state === 'accepted' && proof?.kind === 'password' ? proof : null;
      if (proof?.kind === 'password') await context.bouncer.logins.set(user, offered);
      const words = 'words' in answer ? withoutPassword(answer.words, proof) : null;
      await record.note(login, state, words);
      this.early.ended(login, state);
      if (state === 'accepted') record.lastProblem = answer.outcome === 'accepted' ? undefined : unusedProblem(words);
    }
    if (this.#attempt === attempt) this.#attempt = undefined;
    changed();
  }

  /** Removes cleared logins from the bouncer, and drops the attempt if its login is among them. */
  async forget(user: BouncerUser): Promise<void> {
    const { context, accountId, record, connection, changed } = this.#parts;
    const isPresent = (await record.find(user))?.state === 'cleared';
    const isPending = isPresent && this.#attempt?.isPending === true;
    const { account } = record;
    if (isPresent) [this.#attempt, record.lastProblem] = [undefined, undefined];
    await forgetCleared(context, connection(), { accountId, user, isPending, account });
    if (isPresent) changed();
  }

  get #session(): BouncerSession | undefined {
    return this.#parts.connection()?.session;
  }

  /**
   * Records the attempt before the login is sent: if the process ends in between, the attempt stays unanswered and is
   * not repeated. A login that the network has accepted stays so, because the next connection sends it in any case.
   */
  async #noteTrying(login: NetworkLogin): Promise<void> {
    const { record } = this.#parts;
    if (login.state === 'accepted') record.lastProblem = undefined;
    else await record.note(login, 'trying');
  }

  /** Offers the login on another connection. After a failure it is unknown whether there will be one. */
  async #offerAnew(attempt: Attempt, nick: string): Promise<void> {
    try {
      await this.offer(attempt);
      await this.#parts.connection()?.renewNetwork(attempt.user, nick);
    } catch (error) {
      attempt.isStalled = true;
      throw error;
    }
  }

  /** Handles the network's answer. ended-ok: the answer is valid even if the connection has ended since. */
  async #answered(session: BouncerSession, attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { user, ways } = attempt;
    const { context, accountId, record } = this.#parts;
    if (answer.outcome === 'unanswered' && !ways.has('registration')) {
      const { nick } = await accountOf(context, accountId);
      attempt.answer = undefined;
      // Some servers accept a login only during registration.
      return this.#offerAnew(attempt, nick);
    }
    if (answer.outcome !== 'answered') return this.end(attempt, answer);
    const account = session.login.account ?? (await context.bouncer.logins.at(user)).account;
    record.known = account;
    await this.end(attempt, account === undefined ? answer : { outcome: 'accepted' });
  }
}
