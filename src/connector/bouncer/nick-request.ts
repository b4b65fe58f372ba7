import { fold as foldName, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { isChannelName } from '../domain/channel.ts';
import type { IrcLine } from '../irc/line.ts';

/** Numerics that refuse a NICK; RFC 2812 §3.1.2 and what common servers add to it. */
const REFUSALS: ReadonlySet<string> = new Set('431 432 433 435 436 437 438 447 484 902'.split(' '));

/** It is also about channels; then it names one. */
const ABOUT_CHANNELS_TOO = '437';

/** Questions that may be open at once; far more than are ever asked. */
const OPEN_MAX = 8;

/** The nicks that this connection has asked for, and what the server has said to the last of them. */
export class NickRequest {
  readonly #fold: (nick: string) => string;
  /** Those that are not answered, the oldest first. */
  #open: readonly string[] = [];
  #refusal: string | undefined;

  /** @param fold gives the form in which all spellings of a nick are equal on this network, at the moment */
  constructor(fold = (nick: string) => foldName(nick, USUAL_CASEMAPPING)) {
    this.#fold = fold;
  }

  /** Why the nick that was asked for last was not given, in the server's words. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  asks(nick: string): void {
    this.#open = [...this.#open, nick].slice(-OPEN_MAX);
    this.#refusal = undefined;
  }

  /** True when the line refuses the nick that was asked for last. @param given the nick that the account has from now on, by this line */
  take(line: IrcLine, given: string | undefined): boolean {
    if (given !== undefined) this.#given(given);
    const reason = this.#open.length === 0 ? undefined : reasonIn(line);
    if (reason === undefined) return false;
    // A line that names none is about the oldest: a server answers in order.
    this.#answered(Math.max(this.#lastIndexOf(namedIn(line)), 0));
    if (this.#open.length > 0) return false;
    this.#refusal = reason;
    return true;
  }

  /** It may also be one that nobody has asked for, or what the server has made of it. */
  #given(nick: string): void {
    this.#refusal = undefined;
    const index = this.#lastIndexOf(nick);
    this.#answered(index === -1 ? this.#open.length : index);
  }

  #lastIndexOf(nick: string): number {
    const key = this.#fold(nick);
    return this.#open.findLastIndex((asked) => this.#fold(asked) === key);
  }

  /** This question is answered, and those before it. */
  #answered(index: number): void {
    this.#open = this.#open.slice(index + 1);
  }
}

/** The nick that a refusal names, which stands before its words: `433 ada bob :in use`. */
const namedIn = ({ params }: IrcLine): string => (params.length > 2 ? (params.at(-2) ?? '') : '');

/** The server's words where the line refuses a nick. */
function reasonIn({ command, params }: IrcLine): string | undefined {
  const [first = '', second = ''] = params;
  const isRefusal =
    (REFUSALS.has(command) && !(command === ABOUT_CHANNELS_TOO && isChannelName(second))) ||
    // soju's own: `400 ada NICK :Failed to update nick`.
    (command === '400' && second === 'NICK') ||
    (command === 'FAIL' && first === 'NICK');
  return isRefusal ? `${command} ${params.at(-1) ?? ''}` : undefined;
}
