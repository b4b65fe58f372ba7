import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer | string;
}

export function jsonAnswer(status: number, value: object, headers: OutgoingHttpHeaders = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

/** Node leaves the body of an answer to HEAD out by itself, and keeps its length. */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // No request of ours has a body: one that comes is not read, which leaves the connection unusable.
    ...(hasBody(request) ? { connection: 'close' } : {}),
    ...headers,
  });
  response.end(body);
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
