import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { type LoginWay, loginProblem, refusesLogin, stepWithoutLogin, unusedProblem } from '../domain/login-steps.ts';
import { type LoginState, type NetworkLogin, withoutPassword } from '../domain/network-login.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { LoginAnswer } from '../ports/bouncer-logins.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { forgetCleared } from './cleared-logins.ts';
import { accountOf, approvedNetworkOf, type PresenceContext } from './context.ts';
import { answerOf, stateAfter } from './login-answers.ts';
import type { Mailbox } from './mailbox.ts';

/** Longest wait of a page for the end of an attempt; then it answers without it. */
const SETTLE_WAIT_MS = 20_000;
const SETTLE_POLL_MS = 50;

const OTHER_CERTIFICATE = 'the bouncer has another certificate by now: make a new one';

export interface AccountLoginOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  /** Called when the reported state of the login has changed. */
  changed: () => void;
}

/** Parts of the account's connection that its login needs. */
export interface LoginConnection {
  /** Session of an account that is wanted online. */
  readonly session: BouncerSession | undefined;
  /** Name of the network of the session. */
  readonly network: string | undefined;
  /** Connects the network, unless it is connected. */
  connectNetwork(user: BouncerUser, nick: string): Promise<void>;
  /** Connects the network again, though it is connected. */
  renewNetwork(user: BouncerUser, nick: string): Promise<void>;
}

/** Attempt that this process has begun. Unfinished attempts of other processes count as unanswered. */
interface Attempt {
  login: NetworkLogin;
  user: BouncerUser;
  /** Ways that were tried: each only once. */
  ways: Set<LoginWay>;
}

/**
 * Logs the account in at its network with the proof that its person has entered. The bouncer offers its password at
 * each connection, regardless of the network's answer, which it does not report. So it has a password only from an
 * attempt on, and only as long as the network accepts it. On an established connection the session sends the login
 * itself and receives the network's answer.
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
  /** Whether the session has sent a login on the present connection that the network has not answered. */
  #isAsked = false;

  constructor(options: AccountLoginOptions) {
    this.#options = options;
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

  /**
   * Sets the password that the bouncer offers when it connects; call it in the account's turn, before the connection.
   */
  async prepare(user: BouncerUser): Promise<void> {
    await forgetCleared(this.#options.context, this.#options.accountId, user);
    const login = await this.#find(user);
    if (login === undefined) return;
    const { proof, state } = login;
    if (proof === undefined) return;
    const { logins } = this.#options.context.bouncer;
    if (proof.kind === 'certificate') {
      const offered = await logins.certificate(user);
      if (offered?.sha256 !== proof.fingerprints.sha256) await this.#note(login, 'lost', OTHER_CERTIFICATE);
      return;
    }
    if (this.#session?.upstream === true || this.#attempt !== undefined) return;
    if (state === 'accepted') await logins.set(user, proof);
    else if (state === 'waiting') await this.#offer({ login, user, ways: new Set() });
    else {
      // An earlier attempt to clear it at the bouncer may have failed.
      await logins.set(user, null);
      if (state === 'trying') await this.#note(login, 'unanswered');
    }
  }

  /**
   * Judges the login after the network has connected. ended-ok: it checks the session after its awaits, and the account
   * of a login does not depend on a session.
   */
  connected(): void {
    this.#soon(async (session) => {
      const user = await this.#user();
      const login = await this.#find(user);
      if (login === undefined) return;
      const { account } = await this.#options.context.bouncer.logins.at(user);
      if (this.#session === session && session.upstream === true) await this.#judge(session, { login, user, account });
    });
  }

  /** Resets the login's state after a loss of the network. */
  lost(): void {
    this.#known = undefined;
    this.#wasLoggedIn = false;
    this.#isAsked = false;
  }

  /** Handles a failed attempt to connect. */
  failed(): void {
    this.#soon(async ({ upstreamError: words = '' }) => {
      const user = await this.#user();
      const login = await this.#find(user);
      if (login?.proof === undefined || !refusesLogin(login.state, words)) return;
      await this.#end(this.#attemptAt(login) ?? { login, user, ways: new Set() }, { outcome: 'refused', words });
    });
  }

  /** Handles a change of the session, which may concern the login. */
  heard(): void {
    const isLoggedIn = this.#session?.login.account !== undefined;
    const isLost = this.#wasLoggedIn && !isLoggedIn && this.#session?.upstream === true;
    this.#wasLoggedIn = isLoggedIn;
    if (!isLost) return;
    this.#known = undefined;
    this.#soon(async () => {
      const user = await this.#user();
      const login = await this.#find(user);
      if (login?.state !== 'accepted' || this.account !== undefined) return;
      await this.#end({ login, user, ways: new Set() }, { outcome: 'refused', words: '' });
    });
  }

  /**
   * Tries the stored login; call it in the account's turn. Without a connection it is tried as soon as there is one.
   * ended-ok: an ended session does not answer, and the next connection decides.
   */
  async tryNow(): Promise<void> {
    const user = await this.#user();
    const login = await this.#find(user);
    if (login?.proof === undefined) return;
    const session = this.#session;
    this.#problem = undefined;
    // A login that was accepted stays so if no answer comes.
    const state = login.state === 'accepted' ? 'accepted' : 'waiting';
    if (session === undefined) return this.#note(login, state);
    const attempt: Attempt = { login: { ...login, state }, user, ways: new Set() };
    const { nick } = await accountOf(this.#options.context, this.#options.accountId);
    if (login.proof.kind === 'password' && session.upstream === true && this.account === undefined) {
      // Otherwise the bouncer's certificate could answer for the password.
      await this.#options.context.bouncer.logins.set(user, null);
      return this.#ask(session, attempt);
    }
    await this.#offer(attempt);
    // Servers refuse a second login on a connection.
    if (session.upstream === true) await this.#connection?.renewNetwork(user, nick);
    else await this.#connection?.connectNetwork(user, nick);
  }

  /**
   * Removes cleared logins from the bouncer. If the present network's is among them, the account leaves the network and
   * connects again without it; call it in the account's turn.
   */
  async followClearing(): Promise<void> {
    const { accountId, changed, context } = this.#options;
    const user = await this.#user();
    const isPresent = (await this.#find(user))?.state === 'cleared';
    const { account } = this;
    const isAsked = isPresent && this.#isAsked;
    if (isPresent) {
      this.#attempt = undefined;
      this.#problem = undefined;
    }
    // The bouncer itself would keep the password if the network accepted it now, so the connection ends first.
    if (isAsked) await context.bouncer.setOnline(user, false);
    const isForgotten = await forgetCleared(context, accountId, user);
    const { nick } = await accountOf(context, accountId);
    if (isAsked || (isForgotten && account !== undefined)) await this.#connection?.renewNetwork(user, nick);
    changed();
  }

  /** Resolves when the attempt has ended, or after `SETTLE_WAIT_MS`. */
  async settled(): Promise<void> {
    const deadline = performance.now() + SETTLE_WAIT_MS;
    while (this.#attempt !== undefined && performance.now() < deadline) await delay(SETTLE_POLL_MS);
  }

  /** Drops the attempt, because the account is no longer wanted online. */
  stop(): void {
    this.#attempt = undefined;
    this.#problem = undefined;
    this.lost();
  }

  get #session(): BouncerSession | undefined {
    return this.#connection?.session;
  }

  /**
   * Decides the next step of the login. ended-ok: its notes describe the connection that it was called for, and an
   * ended session does not answer.
   */
  async #judge(
    session: BouncerSession,
    { login, user, account }: { login: NetworkLogin; user: BouncerUser; account: string | undefined },
  ): Promise<void> {
    this.#known = account;
    const attempt = this.#attemptAt(login);
    if (account !== undefined) {
      const isNew = login.state === 'trying' || (login.state === 'waiting' && login.proof?.kind === 'certificate');
      if (isNew || attempt !== undefined)
        await this.#end(attempt ?? { login, user, ways: new Set() }, { outcome: 'accepted' });
      this.#problem = undefined;
      this.#options.changed();
      return;
    }
    if (login.proof === undefined) return;
    const ways = new Set<LoginWay>(login.state === 'accepted' ? ['registration'] : []);
    const begun = attempt ?? { login, user, ways };
    switch (stepWithoutLogin(login.proof.kind, login.state, attempt?.ways)) {
      case 'ask':
        await this.#ask(session, begun);
        break;
      case 'refused':
        await this.#end(begun, { outcome: 'refused', words: '' });
        break;
      case 'give_up':
        await this.#end(begun, { outcome: 'unanswered' });
        break;
      case 'wait':
        this.#problem = loginProblem(login.state, login.words);
        this.#options.changed();
    }
  }

  /** Sets the password that the bouncer offers from its next connection on. */
  async #offer(attempt: Attempt): Promise<void> {
    const { login, user, ways } = attempt;
    ways.add('registration');
    this.#attempt = attempt;
    await this.#begin(login);
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

  /**
   * Sends the login on the established connection; the account's turn does not wait for the answer.
   * ended-ok: `#answered` runs only for a live session.
   */
  async #ask(session: BouncerSession, attempt: Attempt): Promise<void> {
    const { login } = attempt;
    if (login.proof?.kind !== 'password') return;
    attempt.ways.add('session');
    this.#attempt = attempt;
    await this.#begin(login);
    const { proof } = login;
    this.#isAsked = true;
    void answerOf(session, proof).then((answer) => {
      if (answer.outcome !== 'unanswered') this.#isAsked = false;
      this.#soon(async (present) => {
        if (this.#attempt !== attempt) return;
        // If its connection has ended, the next one decides.
        if (present === session && session.upstream === true) await this.#answered(session, attempt, answer);
      });
    });
  }

  /** Records the network's answer. ended-ok: the answer is valid even if the connection has ended since. */
  async #answered(session: BouncerSession, attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { login, user, ways } = attempt;
    const { context, accountId } = this.#options;
    if (answer.outcome === 'unanswered' && !ways.has('registration')) {
      // Some servers accept a login only during registration.
      await this.#offer(attempt);
      await this.#connection?.renewNetwork(user, (await accountOf(context, accountId)).nick);
      return;
    }
    if (answer.outcome === 'answered') {
      const account = session.login.account ?? (await context.bouncer.logins.at(user)).account;
      this.#known = account;
      await this.#end(attempt, account === undefined ? answer : { outcome: 'accepted' });
      return;
    }
    if (answer.outcome === 'accepted' && login.proof?.kind === 'password') {
      await context.bouncer.logins.set(user, login.proof);
    }
    await this.#end(attempt, answer);
  }

  /**
   * Ends the attempt. A password that is not accepted is removed from the bouncer, which would offer it at each
   * connection.
   */
  async #end(attempt: Attempt, answer: LoginAnswer): Promise<void> {
    const { login, user } = attempt;
    const wasAccepted = login.state === 'accepted';
    const state = stateAfter(answer, wasAccepted);
    if (state !== 'accepted' && login.proof?.kind === 'password') {
      await this.#options.context.bouncer.logins.set(user, null);
    }
    const words = 'words' in answer ? withoutPassword(answer.words, login.proof) : null;
    await this.#note(login, state, words);
    if (state === 'accepted') this.#problem = answer.outcome === 'accepted' ? undefined : unusedProblem(words);
    if (this.#attempt === attempt) this.#attempt = undefined;
    this.#options.changed();
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

  /**
   * Runs work in the account's turn; a failure affects only the login. ended-ok: the work itself checks the session.
   */
  #soon(work: (session: BouncerSession) => Promise<void>): void {
    const { accountId, context, mailbox } = this.#options;
    const whileAttached = async (): Promise<void> => {
      const session = this.#session;
      if (session !== undefined) await work(session);
    };
    mailbox.ask(whileAttached).catch((error: unknown) => {
      context.log.warn(
        { account: accountId, reason: messageOf(error) },
        'the login at the network was not looked after',
      );
    });
  }
}
