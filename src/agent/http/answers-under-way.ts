import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most unanswered requests of one connection. Scrapers send a request when the last one is answered. */
const PER_CONNECTION_MAX = 8;

/**
 * Counts each connection's unsent answers, so that a client that sends many requests and reads no answer costs little
 * memory.
 */
export class AnswersUnderWay {
  readonly #counts = new WeakMap<Socket, number>();
  readonly #refused = new WeakSet<Socket>();

  /** Counts one answer. Returns false without counting if the connection has, or once had, too many pending answers. */
  add({ socket }: { socket: Socket }, response: ServerResponse): boolean {
    const count = this.#counts.get(socket) ?? 0;
    if (count >= PER_CONNECTION_MAX) this.#refused.add(socket);
    if (this.#refused.has(socket)) return false;
    this.#counts.set(socket, count + 1);
    response.once('close', () => this.#counts.set(socket, (this.#counts.get(socket) ?? 1) - 1));
    return true;
  }

  /** Whether this connection has exceeded the limit; its next answer must be the last. */
  isRefused({ socket }: { socket: Socket }): boolean {
    return this.#refused.has(socket);
  }
}
