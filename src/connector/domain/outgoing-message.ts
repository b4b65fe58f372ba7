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
