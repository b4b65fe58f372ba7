import type { Socket } from 'node:net';
import type { Response } from 'express';

/**
 * Counts, by key, the requests that are being answered, until the answer has ended or its connection has closed. The
 * limit of an account's requests at once relies on it.
 */
export class AnswersAtOnce {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request. Returns false, without counting it, if the key has the maximum already. */
  begin(key: string, res: Response): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) return false;
    // The connection has closed before, so no event would end this count.
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

/** Connection → callbacks to run when it closes. */
const waitingOf = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the answer or its connection has closed. Older Node emits no event for an answer that waits
 * behind another one when their connection closes.
 */
function whenOver(res: Response, callback: () => void): void {
  const { socket } = res.req;
  const waiting = waitingOf.get(socket) ?? watch(socket);
  waiting.add(callback);
  res.once('close', () => {
    if (waiting.delete(callback)) callback();
  });
}

function watch(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  waitingOf.set(socket, waiting);
  socket.once('close', () => {
    for (const callback of waiting) callback();
    waiting.clear();
  });
  return waiting;
}
