import type { XConnection } from '../x11/connection.ts';
import type { PreparedRequest } from './property-writer.ts';

/** Makes requests about windows of other programs, which may be gone: an error of such a request concerns nobody else. */
export class RequestSender {
  readonly #connection: XConnection;
  #waiting = 0;

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Requests that the server has not dealt with. */
  get waiting(): number {
    return this.#waiting;
  }

  /** @param failed is called when the server refuses it */
  send(request: PreparedRequest, failed = (): void => {}): void {
    this.#waiting += 1;
    this.#connection
      .ask<void>('room for a selection', (client, reply) => request(client, (error) => reply(error, undefined)))
      .catch(() => failed())
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}
