import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { KEEP_ALIVE_MS } from './connection-deadlines.ts';

export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer | string;
  /** It is the last one on its connection. */
  isLast?: boolean;
}

export function jsonAnswer(status: number, value: object, headers: OutgoingHttpHeaders = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

interface Sending {
  answer: Answer;
  /** Wall clock, milliseconds. */
  nowMs: number;
  /** Whether this is the last answer on its connection, because the server ends. */
  isEnding: boolean;
}

const KEEP_ALIVE = `timeout=${KEEP_ALIVE_MS / 1_000}`;

/** Sends an answer. Node itself omits the body of an answer to HEAD, and keeps its length. */
export function send(request: IncomingMessage, response: ServerResponse, sending: Sending): void {
  const { answer, nowMs, isEnding } = sending;
  // Our requests have no body. One that comes is not read, so the connection cannot be used further.
  const isLast = isEnding || answer.isLast === true || hasBody(request);
  // Node's own date would need a timer, which wakes the process once more in the second after each answer.
  response.sendDate = false;
  const length = Buffer.byteLength(answer.body);
  response.writeHead(answer.status, {
    date: new Date(nowMs).toUTCString(),
    'content-length': length,
    'cache-control': 'no-store',
    ...(isLast ? { connection: 'close' } : { 'keep-alive': KEEP_ALIVE }),
    ...answer.headers,
  });
  // Most texts are ASCII, which Node writes as latin1 without a larger buffer for UTF-8.
  response.end(answer.body, length === answer.body.length ? 'latin1' : 'utf8');
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
