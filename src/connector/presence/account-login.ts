import { fold, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import type { LoginProof, NetworkLogin } from '../domain/login-at-network.ts';
import { loginProblem, refusesLogin, stepWithoutLogin } from '../domain/login-steps.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { LoginRecord } from './login-record.ts';
import type { LoginConnection } from './login-removal.ts';
import { LoginTurns } from './login-turns.ts';
import type { Mailbox } from './mailbox.ts';
import { type Attempt, attemptOf, NetworkLoginAttempts } from './network-login-attempts.ts';
import type { PresenceContext } from './presence-context.ts';
import { until } from './until.ts';

/** Longest wait of a page for the end of an attempt; then it answers without it. */
const SETTLE_WAIT_MS = 20_000;

const OTHER_CERTIFICATE = 'the bouncer has another certificate by now: make a new one';

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
  /** The stored login, and what the account's status says about it. */
  readonly record: LoginRecord;
  readonly #options: AccountLoginOptions;
  readonly #attempts: NetworkLoginAttempts;
  readonly #turns: LoginTurns;
  #connection: LoginConnection | undefined;
  #wasLoggedIn = false;

  constructor(options: AccountLoginOptions) {
    this.#options = options;
    const connection = () => this.#connection;
    const { accountId, context, changed } = options;
    const record = new LoginRecord({ accountId, context, connection });
    this.record = record;
    const next = () => this.#turns.soon();
    this.#attempts = new NetworkLoginAttempts({ accountId, context, record, connection, changed, next });
    const follow = (session: BouncerSession) => this.#follow(session);
    this.#turns = new LoginTurns({ ...options, session: () => this.#session, follow });
  }

  /** Sets the connection. Call it before all other methods. */
  of(connection: LoginConnection): void {
    this.#connection = connection;
  }

  /** Whether an attempt has not ended: another process would not know its answer. */
  get isUnderWay(): boolean {
    return this.#attempts.isUnderWay;
  }

  /** Sets the password that the bouncer offers at its next connection; call it before that, in the account's turn. */
  async prepare(user: BouncerUser): Promise<void> {
    await this.#attempts.finish();
    await this.#attempts.forget(user);
    const login = await this.record.find(user);
    if (login === undefined) return;
    const { proof, state } = login;
    const { logins } = this.#options.context.bouncer;
    if (proof === undefined) return;
    if (proof.kind === 'certificate') {
      const offered = await logins.certificate(user);
      if (offered?.sha256 !== proof.fingerprints.sha256) await this.record.note(login, 'lost', OTHER_CERTIFICATE);
      return;
    }
    if (this.#session?.upstream === true) return;
    const attempt = this.#attempts.of(login);
    if (attempt !== undefined) {
      // The bouncer may not have received it before the session ended.
      if (this.#attempts.isOffered(attempt) || state === 'accepted') await logins.set(user, proof);
    } else if (state === 'accepted') await logins.set(user, proof);
    else if (state === 'waiting') await this.#attempts.offer(attemptOf(login, user));
    else {
      // An earlier attempt to clear it at the bouncer may have failed.
      await logins.set(user, null);
      if (state === 'trying') await this.record.note(login, 'unanswered');
    }
  }

  /** Judges the login after the network has connected. */
  connected(): void {
    this.#attempts.connected();
    this.#turns.soon();
  }

  /** Resets the login's state after a loss of the network. */
  lost(): void {
    this.record.known = undefined;
    this.#wasLoggedIn = false;
  }

  /** Handles a failed attempt to connect. */
  failed(): void {
    this.#turns.soon(async ({ upstreamError: words = '' }) => {
      const user = await this.record.user();
      const login = await this.record.find(user);
      if (login?.proof === undefined || !refusesLogin(login.state, words)) return;
      await this.#attempts.end(this.#attempts.of(login) ?? attemptOf(login, user), { outcome: 'refused', words });
    });
  }

  /** Handles a change of the session. */
  heard(): void {
    const isLoggedIn = this.#session?.login.account !== undefined;
    const isLost = this.#wasLoggedIn && !isLoggedIn && this.#session?.upstream === true;
    this.#wasLoggedIn = isLoggedIn;
    if (!isLost) return;
    this.record.known = undefined;
    this.#turns.soon(async () => {
      const user = await this.record.user();
      const login = await this.record.find(user);
      if (login?.state !== 'accepted' || this.record.account !== undefined) return;
      await this.#attempts.end(attemptOf(login, user), { outcome: 'refused', words: '' });
    });
  }

  /**
   * Tries a login that waits, or once more one that was accepted, or as soon as there is a connection; call it in the
   * account's turn. Any other has been tried since its person wanted that: a repeated order must not send it again.
   */
  async tryNow(): Promise<void> {
    const user = await this.record.user();
    const login = await this.record.find(user);
    if (login?.proof === undefined) return;
    if (this.#attempts.early.isDone(login) || this.#attempts.of(login) !== undefined) return;
    if (login.state !== 'waiting' && login.state !== 'accepted') return;
    this.record.lastProblem = undefined;
    await this.#attempts.begin(login, user);
  }

  /**
   * Removes cleared logins from the bouncer. If the present network's is among them, the account leaves the network and
   * connects again without it; call it in the account's turn.
   */
  async followClearing(): Promise<void> {
    await this.#attempts.forget(await this.record.user());
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
    this.#attempts.drop();
    this.record.lastProblem = undefined;
    this.#turns.stop();
    this.lost();
  }

  get #session(): BouncerSession | undefined {
    return this.#connection?.session;
  }

  /** Takes the next step. ended-ok: it checks the session after its awaits, and an answer outlasts its connection. */
  async #follow(session: BouncerSession): Promise<void> {
    const step = this.#attempts.proceed(session);
    if (step !== undefined) return step;
    const user = await this.record.user();
    const login = await this.record.find(user);
    if (login === undefined) return;
    if (login.state === 'cleared') return this.#attempts.forget(user);
    const { account } = await this.#options.context.bouncer.logins.at(user);
    if (this.#session === session && session.upstream === true) await this.#judge(session, { login, user, account });
  }

  /** Decides the next step of the login. ended-ok: it was called for this connection, and an ended one does not answer. */
  async #judge(
    session: BouncerSession,
    { login, user, account }: { login: NetworkLogin; user: BouncerUser; account: string | undefined },
  ): Promise<void> {
    this.record.known = account;
    const { proof, state } = login;
    const attempt = this.#attempts.of(login);
    if (attempt?.isPending === true) return;
    // Only a connection that is still to come can be logged in by it.
    if (attempt !== undefined && this.#attempts.isOffered(attempt)) {
      return attempt.isStalled ? this.#attempts.end(attempt, { outcome: 'unanswered' }) : undefined;
    }
    if (account !== undefined) return this.#judgeAccount(account, { login, user, attempt });
    if (proof === undefined) return;
    const begun = attempt ?? attemptOf(login, user, state === 'accepted' ? ['registration'] : []);
    switch (stepWithoutLogin(proof.kind, state, attempt?.ways)) {
      case 'ask':
        return this.#attempts.ask(session, begun);
      case 'refused':
        return this.#attempts.end(begun, { outcome: 'refused', words: '' });
      case 'give_up':
        return this.#attempts.end(begun, { outcome: 'unanswered' });
      case 'wait':
        this.record.lastProblem = loginProblem(state, login.words);
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
    if (isWaiting && proof?.kind === 'password') return this.#attempts.begin(login, user);
    if (attempt !== undefined || (isWaiting && proof?.kind === 'certificate')) {
      return this.#attempts.end(attempt ?? attemptOf(login, user), { outcome: 'accepted' });
    }
    // The attempt belongs to a process that has ended: the account may be that of an earlier login.
    if (state === 'trying') {
      return this.#attempts.end(attemptOf(login, user), {
        outcome: isNamed(account, proof) ? 'accepted' : 'unanswered',
      });
    }
    this.record.lastProblem = undefined;
    this.#options.changed();
  }
}

/** Whether the network's account has the name that the person entered. */
const isNamed = (account: string, proof: LoginProof | undefined): boolean =>
  proof?.kind === 'password' && fold(account, USUAL_CASEMAPPING) === fold(proof.name, USUAL_CASEMAPPING);
