import type { WireEvent } from 'x11';
import type { XConnection } from '../x11/x-connection.ts';

const REPLACE = 0;

/**
 * Determines the server's time, which claims of selections need; ICCCM 2.1. It writes a property, and the server
 * reports the change with its time. The value is replaced, because the server would refuse to append to one that
 * another program has written.
 */
export class ServerClock {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #property: number;
  #waiting: ((time: number) => void)[] = [];

  constructor(connection: XConnection, window: number, property: number) {
    this.#connection = connection;
    this.#window = window;
    this.#property = property;
  }

  /** Returns the server's time; never settles when the connection ends first. */
  now(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#waiting.push(resolve);
    // Concurrent callers share the first one's answer.
    if (this.#waiting.length === 1) {
      const { client } = this.#connection;
      client.ChangeProperty(REPLACE, this.#window, this.#property, this.#property, 8, Buffer.alloc(0));
      this.#connection.flush();
    }
    return promise;
  }

  takePropertyChange({ atom, time }: Pick<WireEvent, 'atom' | 'time'>): void {
    if (atom !== this.#property) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(time);
  }
}
