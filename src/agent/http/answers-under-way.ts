import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Reports and metrics that one connection may wait for. Scrapers send a request when the last one is answered. */
const PER_CONNECTION_MAX = 8;

/** Counts answers that have not left, so that who asks much and reads nothing makes the agent hold little. */
export class AnswersUnderWay {
  readonly #counts = new WeakMap<Socket, number>();

  /** False, and nothing counted, when the connection waits for too many already. */
  add({ socket }: { socket: Socket }, response: ServerResponse): boolean {
    const count = this.#counts.get(socket) ?? 0;
    if (count >= PER_CONNECTION_MAX) return false;
    this.#counts.set(socket, count + 1);
    response.once('close', () => this.#counts.set(socket, (this.#counts.get(socket) ?? 1) - 1));
    return true;
  }
}
