import type { Client } from 'x11';

/**
 * Ids of things in the server that are made and freed by requests in one buffer. Freed ones are taken again: a connection
 * has two million, and the server refuses what has another. They are not given back to the connection, which would hand
 * them to whoever sends before the buffer does.
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

  /** The request that frees the thing has been packed. */
  giveBack(id: number): void {
    this.#freed.push(id);
  }
}
