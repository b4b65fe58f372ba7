import { createServer as createPlain, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createEncrypted } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A secret as clients of the profile make it: `whsec_` and 32 bytes. */
export const RECEIVER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface ReceivedRequest {
  at: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Contents of a delivery. */
export interface ReceivedEvent {
  eventId: string;
  name: string;
  timestamp: string;
  data: Record<string, unknown>;
  cursor: null;
}

/** Answers a request; `undefined` leaves it to the receiver, which echoes challenges and takes events. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => 'answered' | undefined;

/** A real receiver of webhooks on loopback, of the kind that agents run. */
export interface WebhookReceiver extends AsyncDisposable {
  /** Address for webhooks; its host is 127.0.0.1. */
  url: string;
  port: number;
  /** All requests that came in, in order. */
  requests: ReceivedRequest[];
  /** Connections that were ever made to it. */
  connectionCount(): number;
  /** Events, each time they came. @throws Error for a signature that did not hold when it came */
  events(): readonly ReceivedEvent[];
  /** Takes the place of what it would answer. */
  answer: Answer;
}

export interface ReceiverOptions {
  secret?: string;
  /** Key and certificate for https. */
  tls?: { key: string; cert: string };
  answer?: Answer;
  host?: string;
  port?: number;
}

const TAKES_ALL: Answer = () => undefined;

export async function startReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const { secret = RECEIVER_SECRET, tls, answer = TAKES_ALL, host = '127.0.0.1' } = options;
  const webhook = new Webhook(secret);
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  // A signature holds for some minutes only, so it is checked when it comes.
  const came: (() => ReceivedEvent[])[] = [];
  const handle: Parameters<typeof createPlain>[1] = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url: path = '', headers } = req;
      const request = { at: performance.now(), method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(request);
      came.push(settledOf(() => eventIn(request, webhook)));
      if (receiver.answer(request, res) === undefined) takeAsUsual(request, res);
    });
  };
  const server = tls === undefined ? createPlain(handle) : createEncrypted(tls, handle);
  server.on('connection', (socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    connectionCount: () => connectionCount,
    events: () => came.flatMap((event) => event()),
    answer,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Returns the challenge of a verification. */
export function challengeIn(body: string): string | undefined {
  const { type, challenge } = JSON.parse(body) as { type?: string; challenge?: string };
  return type === 'verification' ? challenge : undefined;
}

function takeAsUsual({ body }: ReceivedRequest, response: ServerResponse): void {
  const challenge = challengeIn(body);
  if (challenge === undefined) response.writeHead(204).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge }));
}

/** @throws Error for a signature that does not hold */
function eventIn({ body, headers }: ReceivedRequest, webhook: Webhook): ReceivedEvent[] {
  if (challengeIn(body) !== undefined) return [];
  return [webhook.verify(body, headers as Record<string, string>) as ReceivedEvent];
}

/** Does it now, and returns its result, or throws its error, each time it is asked. */
function settledOf<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
