import type { Socket } from 'node:net';
import type { Response } from 'express';

/** Counts the requests of each key that are being answered, until the answer has ended or its connection has closed. */
export class AnswersAtOnce {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False, and nothing is counted, where as many are being answered as may be. */
  begin(key: string, res: Response): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) return false;
    // Nothing would tell of the end: it has been.
    if (res.req.socket.destroyed) return true;
    this.#counts.set(key, count + 1);
    whenOver(res, () => this.#end(key));
    return true;
  }

  #end(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** Of each connection, what is still to be told that it is over. */
const waitingOf = new WeakMap<Socket, Set<() => void>>();

/** Calls it once. In older Node, an answer that waits behind another one on its connection does not tell when that closes. */
function whenOver(res: Response, tell: () => void): void {
  const { socket } = res.req;
  const waiting = waitingOf.get(socket) ?? watch(socket);
  waiting.add(tell);
  res.once('close', () => {
    if (waiting.delete(tell)) tell();
  });
}

function watch(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  waitingOf.set(socket, waiting);
  socket.once('close', () => {
    for (const tell of waiting) tell();
    waiting.clear();
  });
  return waiting;
}
