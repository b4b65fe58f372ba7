import type { MessagePart, MessageStatus, OutgoingMessage, OutstandingPart } from '../domain/outgoing-message.ts';

export interface MessageStore {
  findByKey(accountId: string, clientId: string, key: string): Promise<KeyedMessage | undefined>;
  /** Stores the message, its parts and its local entry in one transaction. */
  create(message: NewMessage): Promise<OutgoingMessage>;
  /** How many lines of a failed message were not sent. */
  countFailedParts(messageId: string): Promise<number>;
  /** Makes those lines pending again, each under a new tag; lines that were sent stay as they are. */
  renew(messageId: string, newTag: () => string): Promise<OutgoingMessage>;
  find(messageId: string): Promise<OutgoingMessage | undefined>;
  /** Undefined for an unknown message, or one of another account. */
  findOf(accountId: string, messageId: string): Promise<OutgoingMessage | undefined>;
  /** How many parts were written since then; at most `limit` of each status are counted. */
  countWrittenParts(accountId: string, since: number, limit: number): Promise<number>;
  /** Gives the part's message as it then is; undefined when retention has removed it. */
  setPartStatus(
    part: Pick<MessagePart, 'messageId' | 'number'>,
    status: MessageStatus,
    reason?: string,
  ): Promise<OutgoingMessage | undefined>;
  /** Parts that are neither done nor failed, oldest first, without those made before `since`, or overtaken, that wait for an echo. */
  outstanding(accountId: string, since: number): Promise<OutstandingPart[]>;
}

/** A message, and what it says. */
export interface KeyedMessage {
  message: OutgoingMessage;
  text: string;
}

export interface NewPart {
  text: string;
  tag: string;
}

export interface NewMessage {
  accountId: string;
  clientId: string;
  /** The agent session that sends, where it says so. */
  sessionId: string | undefined;
  idempotencyKey: string | undefined;
  network: string;
  channel: string;
  nick: string;
  text: string;
  parts: readonly NewPart[];
}
