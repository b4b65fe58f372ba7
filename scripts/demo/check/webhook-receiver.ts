import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A mention as it is delivered. */
export interface Mention {
  eventId: string;
  data: { channel: string; sender: string; text: string; entryId: string };
}

/** An agent's end of a subscription: it accepts only requests that are signed with its secret. */
export interface WebhookReceiver {
  url: string;
  secret: string;
  /** Mentions that came with the right signature, oldest first. */
  readonly mentions: readonly Mention[];
  close(): Promise<void>;
}

/** Listens on a loopback port, answers the challenge, and keeps the mentions. */
export async function startWebhookReceiver(host: string): Promise<WebhookReceiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = new Webhook(secret);
  const mentions: Mention[] = [];
  const server = createServer(async (request, response) => {
    const event = await verified(webhook, request);
    if (event === undefined) response.writeHead(401).end();
    else if ('challenge' in event) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ challenge: event.challenge }));
    } else {
      mentions.push(event);
      response.writeHead(204).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/mentions`,
    secret,
    mentions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function verified(
  webhook: Webhook,
  request: IncomingMessage,
): Promise<Mention | { challenge: string } | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return webhook.verify(Buffer.concat(chunks), request.headers as Record<string, string>) as
      | Mention
      | { challenge: string };
  } catch {
    return undefined;
  }
}
