import { ACCEPT_WAIT_MAX_MS } from '../domain/limits.ts';
import { isSameSend, type OutgoingMessage } from '../domain/outgoing-message.ts';
import { accountBusy, backlogFull, ConnectorError, idempotencyConflict, isDoubtful } from '../errors.ts';
import type { Accepted, Admit, Hold, MessageStore } from '../ports/message-store.ts';
import type { SendOrder } from '../ports/presence.ts';
import { SendAdmission } from './send-admission.ts';

/** Longest wait of a send for those before it, which the database is accepting. */
const TURN_WAIT_MAX_MS = 10_000;

/** Whatever writes an account's accepted lines: this process, or the one that has the account's session. */
export interface Writer {
  /** Handles a send that may be stored, although the database has not answered. */
  doubt(): void;
  /** Handles an earlier send that still waits to be written. */
  lookLater(): void;
  /**
   * Resolves when the database knows a session that stands here; undefined if none does: then it is not worth asking
   * again.
   */
  settled(): Promise<void> | undefined;
  /** Lets an accepted send be written, and returns its state after a moment. It is accepted already, so this never fails. */
  written(message: OutgoingMessage): Promise<OutgoingMessage>;
}

export interface SendingOptions {
  accountId: string;
  messages: Pick<MessageStore, 'findByKey' | 'accept'>;
  writer: Writer;
  /** Longest wait of a send for those before it. */
  turnWaitMaxMs?: number;
}

/**
 * Accepts one account's sends. The database decides about each in the transaction that stores it, so any process may
 * accept it; the process that has the account's session then writes the lines that wait. A send is identified by its
 * idempotency key: one that is pending or sent is answered as it is.
 */
export class Sending {
  readonly #options: SendingOptions;
  readonly #admission = new SendAdmission();
  /** Posts that wait to be accepted. */
  #heldPosts = 0;
  /** End of the last send that the database was asked to accept. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /**
   * @throws ConnectorError account_offline, bouncer_unreachable, idempotency_conflict, rate_limited, backlog_full,
   * account_busy
   */
  async send(order: SendOrder): Promise<OutgoingMessage> {
    const { writer } = this.#options;
    const earlier = await this.#earlier(order);
    if (earlier !== undefined && earlier.status !== 'failed') {
      // The line may have been stored without an answer to this program.
      if (earlier.status === 'pending') writer.lookLater();
      return earlier;
    }
    const { message } = await this.#accept(order);
    return message.status === 'pending' ? writer.written(message) : message;
  }

  /** Returns the same client's earlier send under the same key, mostly from memory. */
  async #earlier({ clientId, idempotencyKey, ...send }: SendOrder): Promise<OutgoingMessage | undefined> {
    if (idempotencyKey === undefined) return undefined;
    const { accountId, messages } = this.#options;
    const earlier = await messages.findByKey(accountId, clientId, idempotencyKey);
    if (earlier !== undefined && !isSameSend(earlier, send)) throw idempotencyConflict();
    return earlier?.message;
  }

  /** Accepts a send, if need be after a wait. */
  async #accept(order: SendOrder): Promise<Accepted> {
    let accepted = await this.#acceptOrHold(order, {
      admit: (lines) => this.#admission.admit(lines),
      heldPosts: () => this.#heldPosts,
    });
    let waitedMs = 0;
    while ('over' in accepted) {
      const { over, waitMs } = accepted;
      waitedMs += waitMs;
      if (waitedMs > ACCEPT_WAIT_MAX_MS) throw backlogFull(waitMs);
      await this.#held(order, over);
      // Other processes may have taken the room meanwhile.
      accepted = await this.#acceptOrHold(order, {
        admit: (lines) => this.#admission.admitAgain(lines),
        heldPosts: () => 0,
      });
    }
    return accepted;
  }

  /** Waits, while others count the post that waits. */
  async #held({ isPost }: SendOrder, over: Promise<void>): Promise<void> {
    if (isPost !== true) return over;
    this.#heldPosts += 1;
    try {
      await over;
    } finally {
      this.#heldPosts -= 1;
    }
  }

  async #acceptOrHold(
    order: SendOrder,
    { admit, heldPosts }: { admit: Admit; heldPosts: () => number },
  ): Promise<Accepted | Hold> {
    const { accountId, messages, writer } = this.#options;
    const accept = async (): Promise<Accepted | Hold> => {
      try {
        return await this.#inTurn(() => messages.accept({ ...order, accountId, heldPosts }, admit));
      } catch (error) {
        // Without an answer of the database, the send may be stored all the same.
        if (isDoubtful(error)) writer.doubt();
        throw error;
      }
    };
    try {
      return await accept();
    } catch (error) {
      const isOffline = error instanceof ConnectorError && error.code === 'bouncer_unreachable';
      const settled = isOffline ? writer.settled() : undefined;
      if (settled === undefined) throw error;
      // The session has just begun, and the database does not know it yet.
      await settled;
      return accept();
    }
  }

  /**
   * Asks the database about one send after the other: they would wait for the account's lock, each with a connection that
   * others need.
   * @throws RetryLater account_busy if those before it take too long
   */
  #inTurn<T>(accept: () => Promise<T>): Promise<T> {
    const { turnWaitMaxMs = TURN_WAIT_MAX_MS } = this.#options;
    const askedAt = performance.now();
    const turn = this.#turn.then(() => {
      if (performance.now() - askedAt > turnWaitMaxMs) throw accountBusy();
      return accept();
    });
    // The failure is the caller's; the next send has its turn in any case.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
