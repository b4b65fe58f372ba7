import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { poll } from '../../kernel/poll.ts';

/**
 * Time for which a connection stays open after its last answer, once idle connections are closed; 0 would mean for
 * ever.
 */
const CLOSING_KEEP_ALIVE_MS = 1;
/** Longest time that requests wait while the listener closes. */
const HOLD_MS = 1_000;
/**
 * The listener closes when no connection has come for this time: then all clients that send one request after another
 * wait.
 */
const QUIET_MS = 100;
const LOOK_MS = 5;
/** The kernel had nothing to do for the process in a shorter turn of the event loop. */
const EMPTY_TURN_MS = 0.5;
const EMPTY_TURNS_TRIED = 20;

/** Times since `end` was called, in milliseconds. */
export interface DrainTimes {
  /**
   * Connections are accepted until then, so that a proxy can notice the end before it is refused; 0 closes the listener
   * at once.
   */
  listenMs: number;
  /** Connections without a request are closed then; at least a second after `listenMs`. */
  idleMs: number;
  /** All other connections are closed then. The value may be known a little later. */
  deadlineMs: number | Promise<number>;
}

/**
 * Ends an HTTP server without failing a request. A client that keeps its connection may send a request at any moment,
 * also in the one in which the connection is closed; and when the listener closes, the kernel resets connections that
 * the process has not yet accepted. So at first all requests are served as before, but each answer says that it is the
 * last one on its connection. Then the listener closes while clients wait for answers, and do not connect. Then idle
 * connections are closed. The program that owns the server makes it with `serving`, calls `watch` before it listens,
 * and awaits `end`.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>();
  readonly #connections = new Set<Socket>();
  /** Connections with an answer that said it is the last. */
  readonly #lastAnswered = new WeakSet<Socket>();
  #isEnding = false;
  #connectedAtMs = Number.NEGATIVE_INFINITY;
  /** Settles when waiting requests are to be answered. */
  #held: Promise<void> | undefined;

  /** Whether the end has begun; health checks fail from then on. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Wraps the handler that the server is made with. */
  serving(handler: RequestListener): RequestListener {
    return (req, res) => {
      // A connection gets no more answers after the last one: the client can repeat elsewhere a request that was not
      // begun.
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
    const timers: NodeJS.Timeout[] = [];
    let isClosed = false;
    const beganAtMs = performance.now();
    void Promise.resolve(deadlineMs).then((ms) => {
      const leftMs = Math.max(0, beganAtMs + ms - performance.now());
      if (!isClosed) timers.push(setTimeout(() => server.closeAllConnections(), leftMs));
    });
    if (listenMs === 0) {
      stopAccepting(server, closed.resolve);
      this.#closeIdle(server);
    } else {
      timers.push(setTimeout(() => void this.#stopListening(server, closed.resolve), listenMs));
      timers.push(setTimeout(() => this.#closeIdle(server), Math.max(idleMs, listenMs + HOLD_MS)));
    }
    await closed.promise;
    isClosed = true;
    for (const timer of timers) clearTimeout(timer);
    // `close` also ends the server's periodic check of its connections.
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
    // A connection that is kept open after its last answer would keep the server open for that time.
    server.keepAliveTimeout = CLOSING_KEEP_ALIVE_MS;
    server.keepAliveTimeoutBuffer = 0;
    // Connections that have sent no byte, or a part of a header, are closed too: Node does not count them among the
    // idle ones.
    const asking = new Set([...this.#answers].map(({ req }) => req.socket));
    for (const socket of this.#connections) if (!asking.has(socket)) socket.destroy();
  }

  /**
   * Closes the listener while held answers keep clients from connecting: clients that send one request after another
   * wait for the answer. A connection between the last look at the queue and the close is reset all the same.
   */
  async #stopListening(server: Server, closed: () => void): Promise<void> {
    const release = Promise.withResolvers<void>();
    this.#held = release.promise;
    const endMs = performance.now() + HOLD_MS;
    const isQuiet = (): boolean => performance.now() - this.#connectedAtMs >= QUIET_MS;
    do {
      await poll(() => isQuiet() || undefined, { everyMs: LOOK_MS, withinMs: endMs - performance.now() });
      // Connections may have waited while the process was stopped; then more are likely to come.
    } while (!(await this.#isQueueEmpty()) && performance.now() < endMs);
    stopAccepting(server, closed);
    this.#held = undefined;
    release.resolve();
  }

  /** Whether no connection comes in the next turns of the event loop, until a short one. */
  async #isQueueEmpty(): Promise<boolean> {
    const connectedAtMs = this.#connectedAtMs;
    for (let turn = 0; turn < EMPTY_TURNS_TRIED; turn += 1) {
      const startMs = performance.now();
      await nextTurn();
      if (this.#connectedAtMs !== connectedAtMs) return false;
      if (performance.now() - startMs < EMPTY_TURN_MS) break;
    }
    return true;
  }
}

/** Closes only the listener; the `close` of an HTTP server would close idle connections as well. */
function stopAccepting(server: Server, closed: () => void): void {
  NetServer.prototype.close.call(server, () => closed());
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
