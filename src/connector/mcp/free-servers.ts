import type { McpServer, Transport } from '@modelcontextprotocol/server';

/** Servers that are kept for later requests. Further ones are made when needed, and dropped afterwards. */
const FREE_MAX = 32;

/**
 * Keeps servers that have answered a request for later ones; each serves one request at a time. Making a new one for
 * each request takes a fifth of the time of a call. It also stays in memory until a major collection, because the
 * accessors of its tools give each server a hidden class of its own. The endpoint has one set for each protocol era.
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
    closeCheaply(made);
    made.server.onclose = () => {
      if (this.#free.size < FREE_MAX) this.#free.add(made);
    };
    return made;
  }
}

/**
 * Closes a server without recording a stack. At each close the library makes an error for requests that still wait;
 * recording its stack took 4 % of a call, and the stack is always the same.
 */
function closeCheaply({ server }: McpServer): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport: Transport) => {
    await connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      try {
        closed?.();
      } finally {
        Error.stackTraceLimit = limit;
      }
    };
  };
}
