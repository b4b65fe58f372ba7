import { FALSE_ECHO_MS, PENDING_MAX_MS } from './limits.ts';

/** @spec connector#outgoing-message */
export const MESSAGE_STATUSES = ['pending', 'queued', 'echoed', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** A message on its way; its text is in its entry. */
export interface OutgoingMessage {
  messageId: string;
  entryId: string;
  channel: string;
  status: MessageStatus;
  /** Why it failed; null in every other state. */
  reason: string | null;
}

/** One IRC line of a message. */
export interface MessagePart {
  messageId: string;
  number: number;
  channel: string;
  text: string;
  /** Opaque tag the bouncer sends back with the line. */
  tag: string;
}

/** A line that waits to be written, or for its echo, or until an echo by the bouncer can no longer be wrong. */
export interface OutstandingPart extends MessagePart {
  /** Milliseconds since 1970, like the others. */
  createdAt: number;
  writtenAt: number | null;
  /** Set by an echo that the bouncer made on its own. */
  echoedAt: number | null;
}

/** What to do about an outstanding line at a time. */
export type PartVerdict = 'wait' | 'echoed' | 'too_late_to_send';

/**
 * Silence decides nothing: a line that was written stays on its way until it comes back or is refused.
 * @param isPassed the server has answered a question that was asked after the line; it answers in order
 */
export function judgePart(part: OutstandingPart, now: number, { isPassed }: { isPassed: boolean }): PartVerdict {
  if (part.echoedAt !== null) return isPassed || now - part.echoedAt >= FALSE_ECHO_MS ? 'echoed' : 'wait';
  return part.writtenAt === null && now - part.createdAt >= PENDING_MAX_MS ? 'too_late_to_send' : 'wait';
}

/** Whether time alone will decide the line. */
export const isDecidedByTime = ({ writtenAt, echoedAt }: OutstandingPart): boolean =>
  writtenAt === null || echoedAt !== null;
