import { splitText, textBudgetBytes } from '../domain/message-text.ts';
import type { MessagePart, OutgoingMessage } from '../domain/outgoing-message.ts';
import { bouncerUnreachable, ConnectorError } from '../errors.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { SendOrder } from '../ports/presence.ts';
import { newSecret } from '../random.ts';
import type { PresenceContext } from './context.ts';
import { KeyedLock } from './keyed-lock.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outbox } from './outbox.ts';
import { type Hold, SendAdmission } from './send-admission.ts';

export interface SendingOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  /** Name of the network that the session is of. */
  network: () => string | undefined;
  session: () => BouncerSession | undefined;
}

/** Whether this many lines may be accepted now, with so many ahead of them. */
type Admit = (lineCount: number, ahead: number) => Hold | undefined;

/**
 * Accepts one account's sends. A send is known by its key: while it is on its way, or was said, it is told as it is,
 * without the account's turn. All others take one turn; it stores the message, and writes what may be written at once.
 */
export class Sending {
  readonly #options: SendingOptions;
  readonly #admission: SendAdmission;
  /** Two sends under one key take turns, so that the second finds what the first has stored. */
  readonly #keys = new KeyedLock();

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#admission = new SendAdmission((lineCount) => options.outbox.turnOf(lineCount));
  }

  /** @throws ConnectorError bouncer_unreachable, idempotency_conflict, backlog_full, account_busy */
  async send(order: SendOrder): Promise<OutgoingMessage> {
    const { clientId, idempotencyKey: key } = order;
    if (key === undefined) return this.#accept(order, false);
    return this.#keys.use(JSON.stringify([clientId, key]), async () => {
      const earlier = await this.#earlier(order);
      if (earlier === undefined || earlier.status === 'failed') return this.#accept(order, earlier !== undefined);
      // It may have been stored without this program hearing of it.
      if (earlier.status === 'pending') this.#options.outbox.lookLater();
      return earlier;
    });
  }

  /** The same client's send under the same key. */
  async #earlier({ clientId, idempotencyKey, channel, text }: SendOrder): Promise<OutgoingMessage | undefined> {
    if (idempotencyKey === undefined) return undefined;
    const { accountId, context } = this.#options;
    const earlier = await context.store.messages.findByKey(accountId, clientId, idempotencyKey);
    if (earlier !== undefined && (earlier.text !== text || earlier.message.channel !== channel)) {
      throw new ConnectorError(
        'idempotency_conflict',
        'this idempotency_key was used for another text or channel: the first message stands; use a new key for a new message',
      );
    }
    return earlier?.message;
  }

  /** In one turn of the account, or two when there is no room at once. */
  async #accept(order: SendOrder, hasFailed: boolean): Promise<OutgoingMessage> {
    const { mailbox } = this.#options;
    const inTurn = (admit: Admit) => mailbox.ask(() => this.#acceptInTurn(order, hasFailed, admit));
    const first = await inTurn((lineCount, ahead) => this.#admission.admit(lineCount, ahead));
    if (!('over' in first)) return first;
    await first.over;
    const second = await inTurn(() => undefined);
    if ('over' in second) throw new Error('a send was held twice');
    return second;
  }

  async #acceptInTurn(order: SendOrder, hasFailed: boolean, admit: Admit): Promise<OutgoingMessage | Hold> {
    // A line that was given up may have come back meanwhile. A send that was not there is not there: its key is locked.
    // ended-ok: the session is looked for afterwards.
    const failed = hasFailed ? await this.#earlier(order) : undefined;
    if (failed !== undefined && failed.status !== 'failed') return failed;
    const session = this.#options.session();
    if (session === undefined) throw bouncerUnreachable(new Error('no session'));
    return failed === undefined ? this.#sendNew(order, session.nick, admit) : this.#sendAgain(failed, admit);
  }

  async #sendNew(order: SendOrder, nick: string, admit: Admit): Promise<OutgoingMessage | Hold> {
    const { accountId, context, outbox } = this.#options;
    const { channel, text } = order;
    const texts = splitText(text, textBudgetBytes(nick, channel));
    const waiting = await outbox.waiting();
    const hold = admit(texts.length, waiting.length);
    if (hold !== undefined) return hold;
    const parts = texts.map((part) => ({ text: part, tag: newSecret() }));
    const network = this.#options.network();
    if (network === undefined) throw bouncerUnreachable(new Error('no session'));
    const message = await this.#stored(context.store.messages.create({ ...order, accountId, network, nick, parts }));
    const { messageId } = message;
    const lines = parts.map((part, index): MessagePart => ({ ...part, messageId, number: index + 1, channel }));
    return this.#said(message, async () => [...waiting, ...lines]);
  }

  /** Only the lines that were not said. */
  async #sendAgain({ messageId }: OutgoingMessage, admit: Admit): Promise<OutgoingMessage | Hold> {
    const { context, outbox } = this.#options;
    const lineCount = await context.store.messages.countFailedParts(messageId);
    const hold = admit(lineCount, (await outbox.waiting()).length);
    if (hold !== undefined) return hold;
    const message = await this.#stored(context.store.messages.renew(messageId, newSecret));
    return this.#said(message, () => outbox.waiting());
  }

  /** A message of which the database has not said that it is stored may be stored all the same. */
  async #stored(storing: Promise<OutgoingMessage>): Promise<OutgoingMessage> {
    try {
      return await storing;
    } catch (error) {
      this.#options.outbox.doubt();
      throw error;
    }
  }

  /** Writes what may be written now. The message is accepted already: what fails here is done later. */
  async #said(message: OutgoingMessage, waiting: () => Promise<MessagePart[]>): Promise<OutgoingMessage> {
    const { outbox, context, accountId } = this.#options;
    try {
      const changed = await outbox.write(await waiting());
      return changed.get(message.messageId) ?? message;
    } catch (error) {
      context.log.warn({ account: accountId, err: error }, 'a send is stored, but could not be written yet');
      outbox.lookLater();
      return message;
    }
  }
}
