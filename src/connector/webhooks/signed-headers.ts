import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /** Id of the event; a receiver recognises a repeated delivery by it. */
  messageId: string;
  subscriptionId: string;
  body: string;
  /** Secrets that sign the message: while one is being replaced, the receiver may still know the old one. */
  secrets: readonly string[];
  sentAt: Date;
}

/** Headers of a webhook in the Standard Webhooks scheme; the body must be sent byte for byte as it is signed. */
export function signedHeaders(message: SignedMessage): Record<string, string> {
  const { messageId, subscriptionId, body, secrets, sentAt } = message;
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'homeport-connector',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, sentAt, body)).join(' '),
    'x-mcp-subscription-id': subscriptionId,
  };
}
