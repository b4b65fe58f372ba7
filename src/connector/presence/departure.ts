import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { AccountLogin } from './account-login.ts';
import { type Connection, FLUSH_DEADLINE_MS } from './connection.ts';
import type { Expulsion } from './expulsion.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outbox } from './outbox.ts';

export interface DepartureParts {
  mailbox: Mailbox;
  outbox: Outbox;
  login: AccountLogin;
  connection: Connection;
  expulsion: Expulsion;
}

/**
 * The end of one account's presence here, while another process goes on with it. Until the last step it can be called
 * off. What was received and is not stored yet is dropped: the next process gets it from the bouncer again.
 */
export class Departure {
  readonly #parts: DepartureParts;
  #isUnderWay = false;
  #isDone = false;

  constructor(parts: DepartureParts) {
    this.#parts = parts;
  }

  /** Whether nothing is under way that only this process can bring to its end, apart from its orders. */
  get isReady(): boolean {
    const { login, outbox } = this.#parts;
    return !login.isUnderWay && outbox.isCertain && outbox.isAnswered;
  }

  /** Whether orders wait for what only the network can answer: not once the account is to pass on, or to be offline. */
  get awaitsNetwork(): boolean {
    return this.#parts.connection.isWanted && !this.#isUnderWay;
  }

  /** Whether this presence does nothing any more. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Ends the waits for the network. */
  begin(): void {
    this.#isUnderWay = true;
  }

  /** Begins no more work for the account; resolves when the work under way has ended. */
  hold(): Promise<void> {
    return this.#parts.mailbox.hold();
  }

  /** Calls the departure off. */
  goOn(): void {
    this.#isUnderWay = false;
    this.#parts.mailbox.goOn();
  }

  /**
   * Waits until the bouncer has handled what was written to it. False if it has not in time, and the session stands.
   * ended-ok: that is what it checks.
   */
  async flushed(): Promise<boolean> {
    const { session } = this.#parts.connection;
    return (
      session === undefined || (await session.flush(FLUSH_DEADLINE_MS)) || this.#parts.connection.session !== session
    );
  }

  /**
   * Does nothing for the account from now on. Call it while work is held, after `flushed`.
   * @returns the session, to be closed later: until then the bouncer sees no end of it
   */
  leave(): BouncerSession | undefined {
    const { mailbox, outbox, connection, expulsion } = this.#parts;
    const { session } = connection;
    this.#isDone = true;
    outbox.close();
    expulsion.close();
    void mailbox.close(0);
    connection.leave(true);
    return session;
  }
}
