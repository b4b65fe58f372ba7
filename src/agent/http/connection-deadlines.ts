import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';

/** Time from connecting to the last line of the headers of the first request. */
const FIRST_REQUEST_MS = 5_000;

/**
 * Time that an answered connection may stay quiet; the `Keep-Alive` header announces it to the client. A scraper may
 * come once a minute.
 */
export const KEEP_ALIVE_MS = 75_000;

/** Time from an answer to the last line of the headers of the next request. */
const NEXT_REQUEST_MS = KEEP_ALIVE_MS + FIRST_REQUEST_MS;

/** Time from a request until the client has received its answer. Longer than any collection, which ends by itself. */
const ANSWER_MS = 12_000;

/** Time for a request that was on its way when the server began to end. */
const LAST_REQUEST_MS = 1_000;

const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

interface Connection {
  /** On the monotonic clock. */
  dueMs: number;
  /** Bytes that had arrived when the deadline was set. */
  bytesRead: number;
  /** Requests whose answers have not left. */
  underWay: number;
  /** At least one request was answered. */
  isUsed: boolean;
}

/**
 * Ends connections that take too long. Node's own check of slow requests wakes the process every second, as long as it
 * lives. Here one timer waits for the earliest deadline, and without connections no timer runs.
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
    this.#connections.set(socket, { dueMs: 0, bytesRead: 0, underWay: 0, isUsed: false });
    socket.once('close', () => this.#connections.delete(socket));
    this.#set(socket, 0, FIRST_REQUEST_MS);
  }

  /**
   * The headers of a request are complete. The timer is set only when an answer waits for its client, because nearly
   * every client reads at once, and a timer that is moved later still wakes the process at its first time, too.
   */
  asked(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.underWay += 1;
    connection.dueMs = this.#clock.monotonic() + ANSWER_MS;
    connection.bytesRead = socket.bytesRead;
  }

  /** An answer was written; the client may not have received all of it yet. */
  sent(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined && socket.writableLength > 0) this.#wakeBy(connection.dueMs);
  }

  /** An answer has left. */
  answered(socket: Socket): void {
    this.#set(socket, -1, NEXT_REQUEST_MS);
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.isUsed = true;
  }

  /**
   * Whether a connection has had a request, and all its requests are answered: its client can open another one without
   * a loss.
   */
  isQuiet(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    return connection?.isUsed === true && connection.underWay === 0 && socket.bytesRead === connection.bytesRead;
  }

  /** The server ends. Without this, a client that has connected and sends no request would delay the end. */
  hurry(): void {
    const lastMs = this.#clock.monotonic() + LAST_REQUEST_MS;
    for (const connection of this.#connections.values()) {
      if (connection.underWay === 0) connection.dueMs = Math.min(connection.dueMs, lastMs);
    }
    this.#wakeBy(lastMs);
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

  /** Sets the timer to an earlier time only: waking too early is cheaper than moving the timer at each request. */
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

/** Ends a connection: one with an incomplete request gets status 408, a quiet one is closed without an answer. */
function end(socket: Socket, { bytesRead, underWay }: Connection): void {
  if (underWay === 0 && socket.bytesRead > bytesRead) socket.write(REQUEST_TIMEOUT);
  socket.destroy();
}
