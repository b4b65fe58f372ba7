import type { McpServer } from '@modelcontextprotocol/server';

/** Of servers that wait for a request. More at once are made as they are needed, and not kept. */
const FREE_MAX = 32;

/**
 * Servers that answered a request and are free for the next: each has one at a time. Making one for each request costs a
 * fifth of a call, and it stays in memory until a major collection, because the accessors of its tools give each of them a
 * shape of its own.
 */
export class FreeServers {
  readonly #create: () => McpServer;
  readonly #free = new Set<McpServer>();

  constructor(create: () => McpServer) {
    this.#create = create;
  }

  /** One that is free again when its connection is closed. */
  take(): McpServer {
    const [free] = this.#free;
    if (free !== undefined) {
      this.#free.delete(free);
      return free;
    }
    const made = this.#create();
    made.server.onclose = () => {
      if (this.#free.size < FREE_MAX) this.#free.add(made);
    };
    return made;
  }
}
