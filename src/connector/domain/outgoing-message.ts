import { ECHO_USUAL_MS, FALSE_ECHO_MS, PENDING_MAX_MS } from './limits.ts';

/** @spec connector#outgoing-message */
export const MESSAGE_STATUSES = ['pending', 'queued', 'echoed', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** A message on its way; its text lies with its entry. */
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

/** A line that waits for its turn, its echo, or the end of the time in which an echo may be taken back. */
export interface OutstandingPart extends MessagePart {
  /** Milliseconds since 1970, like the others. */
  createdAt: number;
  writtenAt: number | null;
  /** Set by an echo that the bouncer made on its own. */
  echoedAt: number | null;
}

/** What time makes of an outstanding line. */
export type PartVerdict = 'wait' | 'echoed' | 'too_late_to_send' | 'ask_server' | 'unanswered';

/** What is known of the way a line took. */
export interface PartFate {
  /** Written on the connection that still stands, to the bouncer and from there to the server. */
  isOnLink: boolean;
  /** The server, which answers in order, has answered what was asked after the line. */
  isPassed: boolean;
}

/** A line of an earlier connection may have been said although no echo came: only an echo decides about it. */
export function judgePart(part: OutstandingPart, now: number, { isOnLink, isPassed }: PartFate): PartVerdict {
  if (part.echoedAt !== null) return isPassed || now - part.echoedAt >= FALSE_ECHO_MS ? 'echoed' : 'wait';
  if (part.writtenAt === null) return now - part.createdAt >= PENDING_MAX_MS ? 'too_late_to_send' : 'wait';
  if (!isOnLink || now - part.writtenAt < ECHO_USUAL_MS) return 'wait';
  return isPassed ? 'unanswered' : 'ask_server';
}
