import type { McpServer } from '@modelcontextprotocol/server';

/** Servers that are kept for later requests. Further ones are made when needed, and dropped afterwards. */
const FREE_MAX = 32;

/**
 * Servers that answered a request and are free for the next; each serves one request at a time. Making a new one for each
 * request takes a fifth of the time of a call. It also stays in memory until a major collection, because the accessors of
 * its tools give each server a hidden class of its own.
 */
export class FreeServers {
  readonly #create: () => McpServer;
  readonly #free = new Set<McpServer>();

  constructor(create: () => McpServer) {
    this.#create = create;
  }

  /** Takes a server; it becomes free again when its connection is closed. */
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
