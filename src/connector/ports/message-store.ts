import type { MessagePart, MessageStatus, OutgoingMessage, OutstandingPart } from '../domain/outgoing-message.ts';
import type { SendOrder } from './presence.ts';

export interface MessageStore {
  findByKey(accountId: string, clientId: string, key: string): Promise<KeyedMessage | undefined>;
  /**
   * Accepts a send in one transaction: finds the same client's earlier one under its key, counts posts and the lines
   * that wait for the pace, and stores the message as pending. Failed lines of an earlier one become pending again. Every
   * process may call it, also one without the account's session.
   * @throws ConnectorError account_offline, bouncer_unreachable, idempotency_conflict, rate_limited, and what `admit` throws
   */
  accept(send: SendToAccept, admit: Admit): Promise<Accepted | Hold>;
  /** Counts a post no more: it was not sent. */
  forgetPost(messageId: string): Promise<void>;
  find(messageId: string): Promise<OutgoingMessage | undefined>;
  /** Undefined for an unknown message, or one of another account. */
  findOf(accountId: string, messageId: string): Promise<OutgoingMessage | undefined>;
  /** Returns the number of parts written since then; at most `limit` of each status are counted. */
  countWrittenParts(accountId: string, since: number, limit: number): Promise<number>;
  /**
   * Changes a part's status. Returns the changed message; undefined if retention has removed it.
   * @param pacedUntil of a line that is about to be written: the state of the account's pace, see `Pacing`
   */
  setPartStatus(
    part: Pick<MessagePart, 'messageId' | 'number'>,
    status: MessageStatus,
    reason?: string,
    pacedUntil?: number,
  ): Promise<OutgoingMessage | undefined>;
  /** Lists the accounts that are online and have lines that wait to be written. */
  accountsWaiting(): Promise<string[]>;
  /**
   * Lists parts that are not settled yet, oldest first. Parts that wait for an echo are left out if they are older than
   * `since`, or overtaken.
   */
  outstanding(accountId: string, since: number): Promise<OutstandingPart[]>;
}

/** A message with its text. */
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
  /** The agent session that sends, if it names one. */
  sessionId: string | undefined;
  idempotencyKey: string | undefined;
  /** Whether it counts as a post. */
  isPost?: boolean;
  network: string;
  channel: string;
  nick: string;
  text: string;
  parts: readonly NewPart[];
}

/** A send that asks to be accepted. */
export interface SendToAccept extends SendOrder {
  accountId: string;
  /** Number of posts that wait in this process to be accepted; read when the decision is made. */
  heldPosts: () => number;
}

/** Lines of a send, and what waits before them. */
export interface LinesToAdmit {
  lineCount: number;
  /** Number of accepted lines that wait to be written. */
  waitingCount: number;
  /** Returns the milliseconds until the last of this many more lines can be written. */
  turnOf: (lineCount: number) => number;
}

/** Wait of a send that can't be accepted yet. */
export interface Hold {
  over: Promise<void>;
  waitMs: number;
}

/** Decides whether lines are accepted, at the moment at which they would be stored. @throws RetryLater */
export type Admit = (lines: LinesToAdmit) => Hold | undefined;

export interface Accepted {
  message: OutgoingMessage;
  /** Number of lines that became pending; 0 for a message that was accepted earlier. */
  lineCount: number;
}
