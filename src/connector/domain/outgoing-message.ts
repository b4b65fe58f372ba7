import { FALSE_ECHO_MS, PENDING_MAX_MS } from './limits.ts';

/** @spec connector#outgoing-message */
export const MESSAGE_STATUSES = ['pending', 'queued', 'echoed', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** A message that was accepted; its text is in its entry. */
export interface OutgoingMessage {
  messageId: string;
  entryId: string;
  channel: string;
  status: MessageStatus;
  /** Reason of the failure; null in every other state. */
  reason: string | null;
}

/** Failure reason of lines that wait when their account goes offline. */
export const WENT_OFFLINE = 'the account went offline';

/** Whether a send under the key of an earlier one is that send again. */
export const isSameSend = (
  earlier: { message: Pick<OutgoingMessage, 'channel'>; text: string },
  { channel, text }: { channel: string; text: string },
): boolean => earlier.text === text && earlier.message.channel === channel;

/** One IRC line of a message. */
export interface MessagePart {
  messageId: string;
  number: number;
  channel: string;
  text: string;
  /** Opaque tag that the bouncer sends back with the line. */
  tag: string;
  /** Network for which it was accepted; null for a line of an earlier version. */
  network: string | null;
}

/** A line that waits to be written, or for its echo, or until an echo by the bouncer can no longer be wrong. */
export interface OutstandingPart extends MessagePart {
  /** Milliseconds since 1970, like the others. */
  createdAt: number;
  writtenAt: number | null;
  /** Time of an echo that the bouncer made on its own; null without one. */
  echoedAt: number | null;
}

/** Decision about an outstanding line at a given time. */
export type PartVerdict = 'wait' | 'echoed' | 'too_late_to_send';

/**
 * Decides about an outstanding line. Silence decides only about a line that was not written: a written one stays
 * undecided until it comes back or is refused.
 * @param isPassed whether the server has answered a probe that was sent after the line; it answers in order
 */
export function judgePart(part: OutstandingPart, now: number, { isPassed }: { isPassed: boolean }): PartVerdict {
  if (part.echoedAt !== null) return isPassed || now - part.echoedAt >= FALSE_ECHO_MS ? 'echoed' : 'wait';
  return part.writtenAt === null && now - part.createdAt >= PENDING_MAX_MS ? 'too_late_to_send' : 'wait';
}

/** Whether the line's outcome depends on time alone. */
export const isDecidedByTime = ({ writtenAt, echoedAt }: OutstandingPart): boolean =>
  writtenAt === null || echoedAt !== null;
