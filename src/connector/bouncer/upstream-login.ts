import { fold, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import type { LoginAnswer, Password } from '../ports/bouncer-logins.ts';

/** Length of a response that is followed by another one; IRCv3 `sasl`. */
const SASL_PART_CHARACTERS = 400;

/**
 * Time after each text of NickServ in which the server may still confirm the login. Services greet everybody who
 * connects with a registered nick, and answer later than the server itself.
 */
const CONFIRMATION_MS = 4_000;

/** Numerics that end an attempt without a login; IRCv3 `sasl`. */
const SASL_REFUSALS: ReadonlySet<string> = new Set(['902', '904', '905', '907']);

/** soju's own refusals, which do not concern the password. */
const NOT_TRIED = /^(?:Upstream network authentication|AUTHENTICATE requires|Another authentication attempt)/;

const NICKSERV = 'NICKSERV';
/** Numerics for an unknown command or service. */
const NO_SERVICE: ReadonlySet<string> = new Set(['401', '421']);
/** Numeric of servers that know NickServ, but have lost their services for now. */
const SERVICES_DOWN = '440';

interface Attempt {
  way: 'sasl' | 'nickserv';
  /** Response to the server's request; undefined once it is written: a repeated request gets no second one. */
  response: string | undefined;
  /** Last text of NickServ. */
  words: string | undefined;
  end: (answer: LoginAnswer) => void;
  /** Ends the attempt at its deadline. */
  timer: NodeJS.Timeout;
  /** Ends the attempt some time after NickServ's last text. */
  confirmation?: NodeJS.Timeout;
}

/** Logs in on an established connection and returns the network's own answer. */
export class UpstreamLogin {
  readonly #write: (line: string) => boolean;
  #attempt: Attempt | undefined;

  constructor(write: (line: string) => boolean) {
    this.#write = write;
  }

  /** @param way SASL if the network offers it, otherwise NickServ */
  try(way: Attempt['way'], { name, password }: Password, deadlineMs: number): Promise<LoginAnswer> {
    if (this.#attempt !== undefined) return Promise.resolve({ outcome: 'unanswered' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#expire(), deadlineMs).unref();
      const response = Buffer.from(`\0${name}\0${password}`).toString('base64');
      this.#attempt = { way, response, words: undefined, end: resolve, timer };
      // A command of the server's own: a stranger can't take its name, unlike a nick.
      const line =
        way === 'sasl' ? formatLine('AUTHENTICATE', ['PLAIN']) : formatLine(NICKSERV, ['IDENTIFY', name, password]);
      if (!this.#write(line)) this.#end({ outcome: 'unanswered' });
    });
  }

  /**
   * Handles a line; true if only this attempt needs it, as lines of SASL. Numerics that say who is logged in concern the
   * session, too, and NickServ's notices become no entries, because they are addressed to the nick.
   */
  take(line: IrcLine): boolean {
    const attempt = this.#attempt;
    if (attempt === undefined) return line.command === 'AUTHENTICATE';
    return attempt.way === 'sasl' ? this.#takeSasl(line, attempt) : this.#takeNickServ(line, attempt);
  }

  /** Ends the attempt, because its connection is gone. */
  reset(): void {
    this.#end({ outcome: 'unanswered' });
  }

  #takeSasl({ command, params }: IrcLine, attempt: Attempt): boolean {
    const words = params.at(-1) ?? '';
    if (command === 'AUTHENTICATE') {
      const parts = attempt.response === undefined ? [] : partsOf(attempt.response);
      attempt.response = undefined;
      for (const part of parts) this.#write(formatLine('AUTHENTICATE', [part]));
    } else if (command === '903') this.#end({ outcome: 'accepted' });
    else if (command === '906') this.#end({ outcome: 'unanswered' });
    else if (SASL_REFUSALS.has(command)) {
      this.#end(NOT_TRIED.test(words) ? { outcome: 'unanswered' } : { outcome: 'refused', words });
    } else return false;
    return true;
  }

  #takeNickServ({ command, sender, params }: IrcLine, attempt: Attempt): boolean {
    const words = params.at(-1) ?? '';
    const isAboutIt = params.some((param) => param.toUpperCase() === NICKSERV);
    if (command === '900') this.#end({ outcome: 'accepted' });
    else if (command === SERVICES_DOWN && isAboutIt) this.#end({ outcome: 'unavailable', words });
    else if (NO_SERVICE.has(command) && isAboutIt) this.#end({ outcome: 'unsupported', words });
    else if (command === 'NOTICE' && fold(sender, USUAL_CASEMAPPING) === 'nickserv') this.#hear(words, attempt);
    return false;
  }

  /**
   * Records NickServ's text, which may also be unrelated, such as a greeting. Each text begins the wait for the server
   * anew, up to the attempt's deadline.
   */
  #hear(words: string, attempt: Attempt): void {
    attempt.words = words;
    clearTimeout(attempt.confirmation);
    attempt.confirmation = setTimeout(() => this.#end({ outcome: 'answered', words }), CONFIRMATION_MS).unref();
  }

  #expire(): void {
    const words = this.#attempt?.words;
    this.#end(words === undefined ? { outcome: 'unanswered' } : { outcome: 'answered', words });
  }

  #end(answer: LoginAnswer): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    clearTimeout(attempt.timer);
    clearTimeout(attempt.confirmation);
    this.#attempt = undefined;
    attempt.end(answer);
  }
}

/** Splits a response; if it fills its last part, an empty part ends it. */
export function partsOf(response: string): string[] {
  const count = Math.ceil(response.length / SASL_PART_CHARACTERS);
  const parts = Array.from({ length: count }, (_, index) =>
    response.slice(index * SASL_PART_CHARACTERS, (index + 1) * SASL_PART_CHARACTERS),
  );
  return parts.at(-1)?.length === SASL_PART_CHARACTERS ? [...parts, '+'] : parts;
}
