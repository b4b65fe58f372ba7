import { formatLine, type IrcLine } from '../irc/line.ts';

/** Begin of the tokens of these pings, so that the answer to a heartbeat is not taken for one of theirs. */
const TOKEN = 'flush-';

/**
 * Counts the messages written to soju, and finds out whether it has handled them. It handles lines one after another,
 * and ignores those that still wait when their connection is closed. The session asks before it is closed on purpose.
 */
export class Flush {
  readonly #write: (line: string) => void;
  #written = 0;
  #handled = 0;
  /** Set while a flush waits. */
  #settle: ((isHandled: boolean) => void) | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Counts a written message. */
  wrote(): void {
    this.#written += 1;
  }

  /** Takes the answer to a ping of this class. @returns whether the line is one */
  take({ command, params }: IrcLine): boolean {
    const token = params.at(-1);
    if (command !== 'PONG' || token?.startsWith(TOKEN) !== true) return false;
    const handled = Number(token.slice(TOKEN.length));
    if (handled > this.#handled && handled <= this.#written) this.#handled = handled;
    if (this.#isHandled) this.#settle?.(true);
    else if (this.#settle !== undefined) this.#ping();
    return true;
  }

  /**
   * Resolves to true when soju has handled all messages, also those written meanwhile; to false after the deadline, or
   * if the connection ends.
   */
  done(deadlineMs: number): Promise<boolean> {
    if (this.#isHandled) return Promise.resolve(true);
    this.end();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), deadlineMs);
      this.#settle = (isHandled) => {
        clearTimeout(timer);
        this.#settle = undefined;
        resolve(isHandled);
      };
      this.#ping();
    });
  }

  /** Ends a flush that waits, without success. */
  end(): void {
    this.#settle?.(false);
  }

  get #isHandled(): boolean {
    return this.#handled === this.#written;
  }

  #ping(): void {
    this.#write(formatLine('PING', [`${TOKEN}${this.#written}`]));
  }
}
