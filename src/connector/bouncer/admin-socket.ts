import { bouncerUnreachable } from '../errors.ts';
import { openConnection } from '../irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import type { Permit } from '../irc/permit.ts';

/** Longest wait for an answer: soju may answer late or never while it is busy with the user. */
const ANSWER_DEADLINE_MS = 10_000;

/** Most lines of an answer: the longest lists the channels of one user. */
const ANSWER_LINES_MAX = 10_000;

const ADVICE: Record<string, string> = {
  ECONNREFUSED: 'is left over from a soju that was killed: delete it, because soju does not start while it exists',
  ENOENT:
    'does not exist: start soju with "listen unix+admin://" and this path, and see its own log when it does not stay up',
  EACCES: 'may not be opened: run soju and the connector under one user, or give them a common group',
};

/** soju refused a command; the reason is its own text. */
export class CommandRefused extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`the bouncer refused a command: ${reason}`);
    this.reason = reason;
  }
}

/** Runs one command of soju's service and returns the lines that it prints. */
export type RunCommand = (words: readonly string[]) => Promise<string[]>;

/** Quotes a word for soju's splitting: within double quotes a backslash escapes the next character. */
export function quoteWord(word: string): string {
  return `"${word.replaceAll(/[\r\n\0]/g, '').replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * Creates a client of soju's admin socket, which runs commands while the permit is given; soju(1),
 * `listen unix+admin://`. Each command has a connection of its own.
 * @throws CommandRefused, ConnectorError bouncer_unreachable
 */
export function createAdminSocket(path: string, permit?: Permit): RunCommand {
  return async (words) => {
    const answer = new Answer();
    const connection = await openConnection(
      { path },
      { onLine: (line) => answer.take(line), onClose: () => answer.fail(new Error('the admin socket was closed')) },
      permit,
    ).catch((error: unknown) => {
      throw bouncerUnreachable(withAdvice(error, path));
    });
    try {
      if (!connection.write(formatLine('BOUNCERSERV', [words.map(quoteWord).join(' ')]))) {
        answer.fail(new Error('this process may not write to the bouncer now'));
      }
      return await answer.lines;
    } finally {
      connection.close();
    }
  };
}

/** Adds a remedy for the owner to an error in the log, because the code alone is meaningless to most people. */
function withAdvice(error: unknown, path: string): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = ADVICE[code];
  return advice === undefined
    ? new Error(`${path}: ${String(error)}`)
    : new Error(`${path} ${advice}`, { cause: error });
}

/** Collects `PRIVMSG` lines until the one line that ends an answer. */
class Answer {
  readonly lines: Promise<string[]>;
  readonly #collected: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #resolve: (lines: string[]) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor() {
    this.lines = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = setTimeout(() => this.fail(new Error('no answer in time')), ANSWER_DEADLINE_MS);
    // The connection may close before anyone waits for the lines.
    this.lines.catch(() => undefined).finally(() => clearTimeout(this.#timer));
  }

  take({ command, params }: IrcLine): void {
    if (this.#collected.length > ANSWER_LINES_MAX) this.fail(new Error('the answer has no end'));
    else if (command === 'PRIVMSG') this.#collected.push(params[1] ?? '');
    else if (command === 'BOUNCERSERV') this.#resolve(this.#collected);
    else if (command === 'FAIL') this.#reject(new CommandRefused(params.at(-1) ?? ''));
    else if (command === '421') this.fail(new Error('this is not an admin socket of soju'));
  }

  fail(error: Error): void {
    this.#reject(bouncerUnreachable(error));
  }
}
