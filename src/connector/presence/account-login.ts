import { type LoginState, type NetworkLogin, withoutPassword } from '../domain/login-at-network.ts';
import { loginProblem, refusesLogin, stepWithoutLogin, unusedProblem } from '../domain/login-steps.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { LoginAnswer } from '../ports/bouncer-logins.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { EarlyLogins } from './early-logins.ts';
import { answerOf, stateAfter } from './login-answers.ts';
import { type Attempt, attemptOf, isNamed, isOffered, OTHER_CERTIFICATE } from './login-attempt.ts';
import { forgetCleared, type LoginConnection } from './login-removal.ts';
import { LoginTurns } from './login-turns.ts';
import type { Mailbox } from './mailbox.ts';
import { accountOf, approvedNetworkOf, type PresenceContext } from './presence-context.ts';
import { until } from './until.ts';

/** Longest wait of a page for the end of an attempt; then it answers without it. */
const SETTLE_WAIT_MS = 20_000;

export interface AccountLoginOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  /** Called when the reported state of the login has changed. */
  changed: () => void;
}

/**
 * Logs the account in at its network with the proof that its person has entered. The bouncer offers its password at
 * each connection, regardless of the network's answer, which it does not report. So it has a password only from an
 * attempt on, and only as long as the network accepts it. On an established connection the session sends the login
 * itself and receives the network's answer. After a failure of the bouncer or the database it is looked at again until
 * what is stored, what the bouncer offers and what the network said agree.
 */
export class AccountLogin {
  readonly #options: AccountLoginOptions;
  #connection: LoginConnection | undefined;
  #attempt: Attempt | undefined;
  /**
   * Account at the network by the bouncer's record of the present connection; the bouncer does not forward all of the
   * network's messages.
   */
  #known: string | undefined;
  #problem: string | undefined;
  #wasLoggedIn = false;
  /** Number of connections to the network that this object was notified of. */
  #connections = 0;
  readonly #turns: LoginTurns;
  readonly #early = new EarlyLogins();

  constructor(options: AccountLoginOptions) {
    this.#options = options;
    const follow = (session: BouncerSession) => this.#follow(session);
    this.#turns = new LoginTurns({ ...options, session: () => this.#session, follow });
  }

  /** Sets the connection. Call it before all other methods. */
  of(connection: LoginConnection): void {
    this.#connection = connection;
  }

  /** Account that this person is logged in to at the network, as far as it is known. */
  get account(): string | undefined {
    const session = this.#session;
    return session?.upstream === true ? (session.login.account ?? this.#known) : undefined;
  }

  /** Reason why the account is not logged in with the entered proof; undefined if it is, or if no proof was entered. */
  get problem(): string | undefined {
    return this.account === undefined ? this.#problem : undefined;
  }

  /** Whether an attempt has not ended: another process would not know its answer. */
  get isUnderWay(): boolean {
    return this.#attempt !== undefined;
  }

  /** Sets the password that the bouncer offers at its next connection; call it before that, in the account's turn. */
  async prepare(user: BouncerUser): Promise<void> {
    await this.#finish();
    await this.#forget(user);
    const login = await this.#find(user);
    if (login === undefined) return;
    const { proof, state } = login;
    const { logins } = this.#options.context.bouncer;
    if (proof === undefined) return;
    if (proof.kind === 'certificate') {
      const offered = await logins.certificate(user);
      if (offered?.sha256 !== proof.fingerprints.sha256) await this.#note(login, 'lost', OTHER_CERTIFICATE);
      return;
    }
    if (this.#session?.upstream === true) return;
    const attempt = this.#attemptAt(login);
    if (attempt !== undefined) {
      // The bouncer may not have received it before the session ended.
      if (isOffered(attempt, this.#connections) || state === 'accepted') await logins.set(user, proof);
    } else if (state === 'accepted') await logins.set(user, proof);
    else if (state === 'waiting') await this.#offer(attemptOf(login, user));
    else {
      // An earlier attempt to clear it at the bouncer may have failed.
      await logins.set(user, null);
      if (state === 'trying') await this.#note(login, 'unanswered');
    }
  }

  /** Judges the login after the network has connected. */
  connected(): void {
    this.#connections += 1;
    this.#turns.soon();
  }

  /** Resets the login's state after a loss of the network. */
  lost(): void {
    this.#known = undefined;
    this.#wasLoggedIn = false;
  }

  /** Handles a failed attempt to connect. */
  failed(): void {
    this.#turns.soon(async ({ upstreamError: words = '' }) => {
      const user = await this.#user();
      const login = await this.#find(user);
      if (login?.proof === undefined || !refusesLogin(login.state, words)) return;
      await this.#end(this.#attemptAt(login) ?? attemptOf(login, user), { outcome: 'refused', words });
    });
  }

  /** Handles a change of the session. */
  heard(): void {
    const isLoggedIn = this.#session?.login.account !== undefined;
    const isLost = this.#wasLoggedIn && !isLoggedIn && this.#session?.upstream === true;
    this.#wasLoggedIn = isLoggedIn;
    if (!isLost) return;
    this.#known = undefined;
    this.#turns.soon(async () => {
      const user = await this.#user();
      const login = await this.#find(user);
      if (login?.state !== 'accepted' || this.account !== undefined) return;
      await this.#end(attemptOf(login, user), { outcome: 'refused', words: '' });
    });
  }

  /**
   * Tries a login that waits, or once more one that was accepted, or as soon as there is a connection; call it in the
   * account's turn. Any other has been tried since its person wanted that: a repeated order must not send it again.
   */
  async tryNow(): Promise<void> {
    const user = await this.#user();
    const login = await this.#find(user);
    if (login?.proof === undefined) return;
    if (this.#early.isDone(login) || this.#attemptAt(login) !== undefined) return;
    if (login.state !== 'waiting' && login.state !== 'accepted') return;
    this.#problem = undefined;
    await this.#try(login, user);
  }

  /**
   * Removes cleared logins from the bouncer. If the present network's is among them, the account leaves the network and
   * connects again without it; call it in the account's turn.
   */
  async followClearing(): Promise<void> {
    await this.#forget(await this.#user());
  }

  /** Looks at the login again after a while, because a call failed: what the person wants is stored. */
  followLater(): void {
    this.#turns.later();
  }

  /** Resolves when the attempt has ended, or after `SETTLE_WAIT_MS`. */
  async settled(): Promise<void> {
    await until(() => !this.isUnderWay, SETTLE_WAIT_MS);
  }

  /** Drops the attempt, because the account is no longer wanted online. */
  stop(): void {
    this.#attempt = undefined;
    this.#problem = undefined;
    this.#turns.stop();
    this.lost();
  }

  get #session(): BouncerSession | undefined {
    return this.#connection?.session;
  }

  /** Takes the next step. ended-ok: it checks the session after its awaits, and an answer outlasts its connection. */
  async #follow(session: BouncerSession): Promise<void> {
    const attempt = this.#attempt;
    if (attempt?.end !== undefined) return this.#end(attempt, attempt.end);
    if (attempt?.answer !== undefined) return this.#answered(session, attempt, attempt.answer);
    const user = await this.#user();
    const login = await this.#find(user);
    if (login === undefined) return;
    if (login.state === 'cleared') return this.#forget(user);
    const { account } = await this.#options.context.bouncer.logins.at(user);
    if (this.#session === session && session.upstream === true) await this.#judge(session, { login, user, account });
  }

  /** Decides the next step of the login. ended-ok: it was called for this connection, and an ended one does not answer. */
  async #judge(
    session: BouncerSession,
    { login, user, account }: { login: NetworkLogin; user: BouncerUser; account: string | undefined },
  ): Promise<void> {
    this.#known = account;
    const { proof, state } = login;
    const attempt = this.#attemptAt(login);
    if (attempt?.isPending === true) return;
    // Only a connection that is still to come can be logged in by it.
    if (attempt !== undefined && isOffered(attempt, this.#connections)) {
      return attempt.isStalled ? this.#end(attempt, { outcome: 'unanswered' }) : undefined;
    }
    if (account !== undefined) return this.#judgeAccount(account, { login, user, attempt });
    if (proof === undefined) return;
    const begun = attempt ?? attemptOf(login, user, state === 'accepted' ? ['registration'] : []);
    switch (stepWithoutLogin(proof.kind, state, attempt?.ways)) {
      case 'ask':
        return this.#ask(session, begun);
      case 'refused':
        return this.#end(begun, { outcome: 'refused', words: '' });
      case 'give_up':
        return this.#end(begun, { outcome: 'unanswered' });
      case 'wait':
        this.#problem = loginProblem(state, login.words);
        this.#options.changed();
    }
  }

  /** Decides the next step of a login while the network names an account. */
  async #judgeAccount(
    account: string,
    { login, user, attempt }: { login: NetworkLogin; user: BouncerUser; attempt: Attempt | undefined },
  ): Promise<void> {
    const { proof, state } = login;
    const isWaiting = state === 'waiting' && attempt === undefined;
    if (isWaiting && proof?.kind === 'password') return this.#try(login, user);
    if (attempt !== undefined || (isWaiting && proof?.kind === 'certificate')) {
      return this.#end(attempt ?? attemptOf(login, user), { outcome: 'accepted' });
    }
    // The attempt belongs to a process that has ended: the account may be that of an earlier login.
    if (state === 'trying') {
      return this.#end(attemptOf(login, user), { outcome: isNamed(account, proof) ? 'accepted' : 'unanswered' });
    }
    this.#problem = undefined;
    this.#options.changed();
  }

  /** Begins an attempt. ended-ok: it checks the session after its awaits, and an ended session does not answer. */
  async #try(login: NetworkLogin, user: BouncerUser): Promise<void> {
    const { context, accountId } = this.#options;
    const { logins } = context.bouncer;
    const attempt = attemptOf(login, user);
    const { nick } = await accountOf(context, accountId);
    const session = this.#session;
    // The bouncer knows more than this object does just after a connection.
    const known = session?.upstream === true ? (this.account ?? (await logins.at(user)).account) : undefined;
    // Otherwise the bouncer's certificate could answer for the password.
    const isAsked = session?.upstream === true && known === undefined && login.proof?.kind === 'password';
    if (isAsked) await logins.set(user, null);
    // The next connection tries it.
    if (session === undefined || this.#session !== session) return this.#note(login, login.state);
    if (isAsked) return this.#ask(session, attempt);
    // Servers refuse a second login on a connection.
    if (session.upstream === true) return this.#offerAnew(attempt, nick);
    await this.#offer(attempt);
    await this.#connection?.connectNetwork(user, nick);
  }

  /** Sets the password that the bouncer offers from its next connection on. */
  async #offer(attempt: Attempt): Promise<void> {
    const { login, user } = attempt;
    await this.#begin(login);
    attempt.ways.add('registration');
    attempt.offeredAfter = this.#connections;
    this.#attempt = attempt;
    if (login.proof?.kind === 'password') await this.#options.context.bouncer.logins.set(user, login.proof);
  }

  /**
   * Records the attempt before the login is sent: if the process ends in between, the attempt stays unanswered and is
   * not repeated. A login that the network has accepted stays so, because the next connection sends it in any case.
   */
  async #begin(login: NetworkLogin): Promise<void> {
    if (login.state === 'accepted') this.#problem = undefined;
    else await this.#note(login, 'trying');
  }

  /** Offers the login on another connection. After a failure it is unknown whether there will be one. */
  async #offerAnew(attempt: Attempt, nick: string): Promise<void> {
    try {
      await this.#offer(attempt);
      await this.#connection?.renewNetwork(attempt.user, nick);
    } catch (error) {
      attempt.isStalled = true;
      throw error;
    }
  }

  /**
   * Sends the login on the established connection; the account's turn does not wait for the answer.
   * ended-ok: an ended session does not answer.
   */
  async #ask(session: BouncerSession, attempt: Attempt): Promise<void> {
    const { login } = attempt;
    if (login.proof?.kind !== 'password') return;
    await this.#begin(login);
    attempt.ways.add('session');
    attempt.isPending = true;
    this.#attempt = attempt;
    void answerOf(session, login.proof).then((answer) => {
      attempt.isPending = false;
      // If no answer came because the connection has ended, the next one decides.
      const isKept = answer.outcome !== 'unanswered' || (this.#session === session && session.upstream === true);
      if (isKept) attempt.answer = answer;
      if (this.#attempt === attempt) this.#turns.soon();
    });
  }

  /** Handles the network's answer. ended-ok: the answer is valid even if the connection has ended since. */
  async #answered(session: BouncerSession, attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { user, ways } = attempt;
    const { context, accountId } = this.#options;
    if (answer.outcome === 'unanswered' && !ways.has('registration')) {
      const { nick } = await accountOf(context, accountId);
      attempt.answer = undefined;
      // Some servers accept a login only during registration.
      return this.#offerAnew(attempt, nick);
    }
    if (answer.outcome !== 'answered') return this.#end(attempt, answer);
    const account = session.login.account ?? (await context.bouncer.logins.at(user)).account;
    this.#known = account;
    await this.#end(attempt, account === undefined ? answer : { outcome: 'accepted' });
  }

  /** Records an answer of the last connection before the next one is prepared. */
  async #finish(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt?.end !== undefined) return this.#end(attempt, attempt.end);
    const answer = attempt?.answer;
    if (attempt === undefined || answer === undefined) return;
    attempt.answer = undefined;
    // Whether NickServ has agreed was to be seen on that connection alone.
    if (answer.outcome !== 'unanswered' && answer.outcome !== 'answered') await this.#end(attempt, answer);
  }

  /** Ends the attempt: the bouncer offers an accepted password from now on, and no other one. Failures are retried. */
  async #end(attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { login, user } = attempt;
    attempt.end = answer;
    this.#attempt = attempt;
    const present = await this.#find(user);
    // It was forgotten before its answer.
    if (present?.state === 'cleared') return this.#forget(user);
    const state = stateAfter(answer, login.state === 'accepted');
    // Otherwise another login has replaced it, and the bouncer must keep that one.
    if (present?.loginId === login.loginId) {
      const { proof } = login;
      const offered = state === 'accepted' && proof?.kind === 'password' ? proof : null;
      if (proof?.kind === 'password') await this.#options.context.bouncer.logins.set(user, offered);
      const words = 'words' in answer ? withoutPassword(answer.words, proof) : null;
      await this.#note(login, state, words);
      this.#early.ended(login, state);
      if (state === 'accepted') this.#problem = answer.outcome === 'accepted' ? undefined : unusedProblem(words);
    }
    if (this.#attempt === attempt) this.#attempt = undefined;
    this.#options.changed();
  }

  async #forget(user: BouncerUser): Promise<void> {
    const { context, accountId, changed } = this.#options;
    const isPresent = (await this.#find(user))?.state === 'cleared';
    const isPending = isPresent && this.#attempt?.isPending === true;
    const { account } = this;
    if (isPresent) [this.#attempt, this.#problem] = [undefined, undefined];
    await forgetCleared(context, this.#connection, { accountId, user, isPending, account });
    if (isPresent) changed();
  }

  async #note({ loginId }: NetworkLogin, state: LoginState, words: string | null = null): Promise<void> {
    await this.#options.context.store.networkLogins.note(loginId, state, words);
    this.#problem = loginProblem(state, words);
  }

  #attemptAt({ loginId }: NetworkLogin): Attempt | undefined {
    return this.#attempt?.login.loginId === loginId ? this.#attempt : undefined;
  }

  #user(): Promise<BouncerUser> {
    return this.#options.context.store.accounts.bouncerUser(this.#options.accountId);
  }

  /** Finds the login for the account's network; undefined while the session has not followed a move to it. */
  #find(user: BouncerUser): Promise<NetworkLogin | undefined> {
    const { accountId, context } = this.#options;
    const network = approvedNetworkOf(context, user);
    // The session may still be on a former network, which must not get this login.
    if ((this.#connection?.network ?? network.name) !== network.name) return Promise.resolve(undefined);
    return context.store.networkLogins.find(accountId, network);
  }
}
