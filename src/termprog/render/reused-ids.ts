import type { Client } from 'x11';

/**
 * Ids of server resources that requests in one buffer create and free. Freed ids are reused here: a connection has two
 * million, and the server refuses an id in use. They do not return to the connection, which would give them to another
 * sender before the buffer is sent.
 */
export class ReusedIds {
  readonly #client: Pick<Client, 'AllocID'>;
  readonly #freed: number[] = [];

  constructor(client: Pick<Client, 'AllocID'>) {
    this.#client = client;
  }

  take(): number {
    return this.#freed.pop() ?? this.#client.AllocID();
  }

  /** Returns an id after the request that frees its resource was packed. */
  giveBack(id: number): void {
    this.#freed.push(id);
  }
}
