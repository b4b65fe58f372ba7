import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a connection stays open after its last answer once idle connections are closed; 0 would mean for ever. */
const CLOSING_KEEP_ALIVE_MS = 1;
/** The longest that requests wait while the listener closes. */
const HOLD_MS = 1_000;
/** The listener closes when no connection has come for so long: then all clients that ask one thing after another wait. */
const QUIET_MS = 100;
const LOOK_MS = 5;
/** A turn of the event loop that is shorter than this accepted no connection. */
const EMPTY_TURN_MS = 0.5;
const EMPTY_TURNS_TRIED = 20;

/** Times from the beginning of the end, in milliseconds. */
export interface DrainTimes {
  /** Until then connections are accepted, so that a proxy can notice the end before it is refused. 0: not at all. */
  listenMs: number;
  /** Then connections without a request are closed; at least a second after `listenMs`. */
  idleMs: number;
  /** Then all other connections are closed, too. */
  deadlineMs: number;
}

/**
 * Ends an HTTP server without failing a request. A client that keeps its connection may send a request at any moment, also
 * in the one in which the connection is closed; and the kernel resets connections that the process has not yet accepted when
 * the listener closes. So at first everything is served as before, but each answer says that it is the last one on its
 * connection. Then the listener closes while clients wait for answers, and do not connect. Then idle connections are closed.
 * The program that owns the server makes it with `serving`, calls `watch` before it listens, and awaits `end`.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>();
  readonly #connections = new Set<Socket>();
  /** Connections of which an answer has said that it is the last. */
  readonly #lastAnswered = new WeakSet<Socket>();
  #isEnding = false;
  #connectedAtMs = Number.NEGATIVE_INFINITY;
  /** Settles when requests that wait are to be answered. */
  #held: Promise<void> | undefined;

  /** Whether the end has begun: health checks are to fail from then on. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The handler to make the server with. */
  serving(handler: RequestListener): RequestListener {
    return (req, res) => {
      // Behind the last answer nothing would be answered any more: what is not begun can be asked again elsewhere.
      if (this.#lastAnswered.has(req.socket)) return;
      this.#answers.add(res);
      res.once('close', () => this.#answers.delete(res));
      if (this.#isEnding) this.#makeLast(res);
      if (this.#held === undefined) handler(req, res);
      else void this.#held.then(() => handler(req, res));
    };
  }

  /** Watches the connections of the server; call it before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connectedAtMs = performance.now();
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** Ends the server. Returns when its last connection is closed. */
  async end(server: Server, { listenMs, idleMs, deadlineMs }: DrainTimes): Promise<void> {
    this.#begin();
    const closed = Promise.withResolvers<void>();
    const timers = [setTimeout(() => server.closeAllConnections(), deadlineMs)];
    if (listenMs === 0) {
      stopAccepting(server, closed.resolve);
      this.#closeIdle(server);
    } else {
      timers.push(setTimeout(() => void this.#stopListening(server, closed.resolve), listenMs));
      timers.push(setTimeout(() => this.#closeIdle(server), Math.max(idleMs, listenMs + HOLD_MS)));
    }
    await closed.promise;
    for (const timer of timers) clearTimeout(timer);
    // Ends the checks of its connections, too.
    server.close();
  }

  #begin(): void {
    this.#isEnding = true;
    for (const answer of this.#answers) if (!answer.headersSent) this.#makeLast(answer);
  }

  #makeLast(answer: ServerResponse): void {
    answer.shouldKeepAlive = false;
    this.#lastAnswered.add(answer.req.socket);
  }

  #closeIdle(server: Server): void {
    // A connection that is kept open after its last answer would keep the server open as long.
    server.keepAliveTimeout = CLOSING_KEEP_ALIVE_MS;
    server.keepAliveTimeoutBuffer = 0;
    // Also those that have sent nothing, or a part of a header: Node does not count them among the idle ones.
    const asking = new Set([...this.#answers].map(({ req }) => req.socket));
    for (const socket of this.#connections) if (!asking.has(socket)) socket.destroy();
  }

  /**
   * Clients that ask one thing after another wait for a held answer while the listener closes, and do not connect. What
   * connects between the last look at the queue and the close is reset all the same.
   */
  async #stopListening(server: Server, closed: () => void): Promise<void> {
    const release = Promise.withResolvers<void>();
    this.#held = release.promise;
    const deadlineMs = performance.now() + HOLD_MS;
    const quietMs = (): number => performance.now() - this.#connectedAtMs;
    while (quietMs() < QUIET_MS && performance.now() < deadlineMs) await delay(LOOK_MS);
    for (let turn = 0; turn < EMPTY_TURNS_TRIED; turn += 1) {
      const startMs = performance.now();
      await nextTurn();
      if (performance.now() - startMs < EMPTY_TURN_MS) break;
    }
    stopAccepting(server, closed);
    this.#held = undefined;
    release.resolve();
  }
}

/** The `close` of an HTTP server would close idle connections as well. */
function stopAccepting(server: Server, closed: () => void): void {
  NetServer.prototype.close.call(server, () => closed());
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
