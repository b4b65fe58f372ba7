import { setTimeout as delay } from 'node:timers/promises';
import { ACCEPT_WAIT_MAX_MS, WRITE_WAIT_MS } from '../domain/limits.ts';
import { isSameSend, type OutgoingMessage } from '../domain/outgoing-message.ts';
import { backlogFull, ConnectorError, idempotencyConflict, isDoubtful } from '../errors.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { Accepted, Admit, Hold } from '../ports/messages.ts';
import type { SendOrder } from '../ports/presence.ts';
import type { PresenceContext } from './context.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outbox } from './outbox.ts';
import { SendAdmission } from './send-admission.ts';
import type { StatusRecord } from './status-record.ts';

export interface SendingOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  record: StatusRecord;
  session: () => BouncerSession | undefined;
}

/**
 * Accepts one account's sends. The database decides about each in the transaction that stores it, so any process may
 * accept it; the account's turn then writes the lines that wait. A send is identified by its idempotency key: one that is
 * pending or sent is answered as it is.
 */
export class Sending {
  readonly #options: SendingOptions;
  readonly #admission = new SendAdmission();
  /** Posts that wait to be accepted. */
  #heldPosts = 0;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /**
   * @throws ConnectorError account_offline, bouncer_unreachable, idempotency_conflict, rate_limited, backlog_full,
   * account_busy
   */
  async send(order: SendOrder): Promise<OutgoingMessage> {
    const earlier = await this.#earlier(order);
    if (earlier !== undefined && earlier.status !== 'failed') {
      // The line may have been stored without an answer to this program.
      if (earlier.status === 'pending') this.#options.outbox.lookLater();
      return earlier;
    }
    const { message } = await this.#accept(order);
    return message.status === 'pending' ? this.#written(message) : message;
  }

  /** Returns the same client's earlier send under the same key, mostly from memory. */
  async #earlier({ clientId, idempotencyKey, ...send }: SendOrder): Promise<OutgoingMessage | undefined> {
    if (idempotencyKey === undefined) return undefined;
    const { accountId, context } = this.#options;
    const earlier = await context.store.messages.findByKey(accountId, clientId, idempotencyKey);
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

  /** ended-ok: the session only tells whether it is worth asking again; the database decides. */
  async #acceptOrHold(
    order: SendOrder,
    { admit, heldPosts }: { admit: Admit; heldPosts: () => number },
  ): Promise<Accepted | Hold> {
    const { accountId, context, mailbox, outbox, record, session } = this.#options;
    const accept = async (): Promise<Accepted | Hold> => {
      try {
        return await context.store.messages.accept({ ...order, accountId, heldPosts }, admit);
      } catch (error) {
        // Without an answer of the database, the send may be stored all the same.
        if (isDoubtful(error)) outbox.doubt();
        throw error;
      }
    };
    try {
      return await accept();
    } catch (error) {
      const isOffline = error instanceof ConnectorError && error.code === 'bouncer_unreachable';
      if (!isOffline || session() === undefined) throw error;
      // The session has just begun, and the database does not know it yet.
      await mailbox.ask(() => record.settled());
      return accept();
    }
  }

  /**
   * Writes the lines that may be written now, and returns the message as it then is. It is accepted already: what fails,
   * or takes longer than a moment, is done later.
   */
  async #written(message: OutgoingMessage): Promise<OutgoingMessage> {
    const { accountId, context, mailbox, outbox } = this.#options;
    const write = mailbox
      .ask(async () => (await outbox.write(await outbox.waiting())).get(message.messageId))
      .catch((error: unknown) => {
        context.log.warn({ account: accountId, err: error }, 'a send is stored, but could not be written yet');
        outbox.lookLater();
        return message;
      });
    const late = new AbortController();
    const timeout = delay(WRITE_WAIT_MS, message, { signal: late.signal, ref: false }).catch(() => message);
    try {
      const now = await Promise.race([write, timeout]);
      // Written in the turn of another send.
      return now ?? (await context.store.messages.find(message.messageId)) ?? message;
    } finally {
      late.abort();
    }
  }
}
