import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';

/** From connecting to the last line of the headers of the first request. */
const FIRST_REQUEST_MS = 5_000;

/** How long an answered connection may stay quiet; the answers say so to the client. A scraper may come once a minute. */
export const KEEP_ALIVE_MS = 75_000;

/** From an answer to the last line of the headers of the next request. */
const NEXT_REQUEST_MS = KEEP_ALIVE_MS + FIRST_REQUEST_MS;

/** From a request until its answer has been taken by the client. Longer than any collection, which ends by itself. */
const ANSWER_MS = 12_000;

const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

interface Connection {
  /** By the monotonic clock. */
  dueMs: number;
  /** How much had arrived when the deadline was set. */
  bytesRead: number;
  /** Requests whose answers have not left. */
  underWay: number;
}

/**
 * Ends connections that take too long. Node's own check of slow requests wakes the process every second, as long as it
 * lives. Here one timer waits for the earliest deadline, and without connections there is none.
 */
export class ConnectionDeadlines {
  readonly #clock: Clock;
  readonly #connections = new Map<Socket, Connection>();
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A client has connected. */
  opened(socket: Socket): void {
    this.#connections.set(socket, { dueMs: 0, bytesRead: 0, underWay: 0 });
    socket.once('close', () => this.#connections.delete(socket));
    this.#set(socket, 0, FIRST_REQUEST_MS);
  }

  /**
   * The headers of a request are complete. Nothing has to wake for its deadline before there is an answer the client does
   * not take: nearly every one is taken at once, and a timer that is moved later wakes the process at its first time, too.
   */
  asked(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.underWay += 1;
    connection.dueMs = this.#clock.monotonic() + ANSWER_MS;
    connection.bytesRead = socket.bytesRead;
  }

  /** An answer was written, of which the client may have to take some yet. */
  sent(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined && socket.writableLength > 0) this.#wakeBy(connection.dueMs);
  }

  /** An answer has left. */
  answered(socket: Socket): void {
    this.#set(socket, -1, NEXT_REQUEST_MS);
  }

  /** @param change how many more requests are under way */
  #set(socket: Socket, change: number, ms: number): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.underWay += change;
    connection.dueMs = this.#clock.monotonic() + (connection.underWay > 0 ? ANSWER_MS : ms);
    connection.bytesRead = socket.bytesRead;
    this.#wakeBy(connection.dueMs);
  }

  /** An earlier wake than needed is cheaper than moving the timer at each request. */
  #wakeBy(dueMs: number): void {
    if (dueMs >= this.#timerDueMs) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(() => this.#endOverdue(), Math.ceil(dueMs - this.#clock.monotonic()));
    this.#timer.unref();
  }

  #endOverdue(): void {
    const nowMs = this.#clock.monotonic();
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const [socket, connection] of this.#connections) {
      if (connection.dueMs > nowMs) earliestMs = Math.min(earliestMs, connection.dueMs);
      else end(socket, connection);
    }
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    this.#wakeBy(earliestMs);
  }
}

/** Who began a request is told what was wrong; a quiet connection is closed without a word. */
function end(socket: Socket, { bytesRead, underWay }: Connection): void {
  if (underWay === 0 && socket.bytesRead > bytesRead) socket.write(REQUEST_TIMEOUT);
  socket.destroy();
}
