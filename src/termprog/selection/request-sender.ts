import type { Client } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';
import type { PreparedRequest } from './property-writer.ts';

/**
 * Sends requests about windows of other programs, which may be gone: the errors of such requests are handled here and
 * not logged.
 */
export class RequestSender {
  readonly #connection: XConnection;
  #waiting = 0;

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Number of requests that the server has not processed yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Sends a query about such a window. */
  async ask<T>(
    what: string,
    request: (client: Client, reply: (error: Error | null | undefined, value: T) => true) => void,
  ): Promise<T> {
    this.#waiting += 1;
    try {
      return await this.#connection.ask<T>(what, request);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** @param failed is called when the server refuses the request */
  send(request: PreparedRequest, failed = (): void => {}): void {
    this.#waiting += 1;
    this.#connection
      .ask<void>('room for a selection', (client, reply) => request(client, (error) => reply(error, undefined)))
      // The other window is gone, or has no room for the data, or the connection has ended.
      .catch(() => failed())
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}
