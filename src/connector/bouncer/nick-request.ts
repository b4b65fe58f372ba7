import { fold as foldName, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { isChannelName } from '../domain/channel.ts';
import type { IrcLine } from '../irc/line.ts';

/** Numerics that refuse a NICK; RFC 2812 §3.1.2 and what common servers add to it. */
const REFUSALS: ReadonlySet<string> = new Set('431 432 433 435 436 437 438 447 484 902'.split(' '));

/** Numeric that is also used for channels; then it names one. */
const ABOUT_CHANNELS_TOO = '437';

/** Most open requests; far more than occur. */
const OPEN_MAX = 8;

/** Tracks this connection's NICK requests and the server's answer to the last of them. */
export class NickRequest {
  readonly #fold: (nick: string) => string;
  /** Requests without an answer, the oldest first. */
  #open: readonly string[] = [];
  #refusal: string | undefined;

  /** @param fold maps all spellings of a nick to one, by the network's present rule */
  constructor(fold = (nick: string) => foldName(nick, USUAL_CASEMAPPING)) {
    this.#fold = fold;
  }

  /** Reason for which the last requested nick was refused, in the server's words. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  asks(nick: string): void {
    this.#open = [...this.#open, nick].slice(-OPEN_MAX);
    this.#refusal = undefined;
  }

  /**
   * Handles a line; true if it refuses the last requested nick.
   * @param given nick that the account gets by this line
   */
  take(line: IrcLine, given: string | undefined): boolean {
    if (given !== undefined) this.#given(given);
    const reason = this.#open.length === 0 ? undefined : reasonIn(line);
    if (reason === undefined) return false;
    // A line without a nick is about the oldest request: a server answers in order.
    this.#answered(Math.max(this.#lastIndexOf(namedIn(line)), 0));
    if (this.#open.length > 0) return false;
    this.#refusal = reason;
    return true;
  }

  /** Handles a new nick, which may also be one that was not requested, or the server's variant of it. */
  #given(nick: string): void {
    this.#refusal = undefined;
    const index = this.#lastIndexOf(nick);
    this.#answered(index === -1 ? this.#open.length : index);
  }

  #lastIndexOf(nick: string): number {
    const key = this.#fold(nick);
    return this.#open.findLastIndex((asked) => this.#fold(asked) === key);
  }

  /** Closes this request and those before it. */
  #answered(index: number): void {
    this.#open = this.#open.slice(index + 1);
  }
}

/** Returns the nick in a refusal, which precedes its text: `433 ada bob :in use`. */
const namedIn = ({ params }: IrcLine): string => (params.length > 2 ? (params.at(-2) ?? '') : '');

/** Returns the server's text if the line refuses a nick. */
function reasonIn({ command, params }: IrcLine): string | undefined {
  const [first = '', second = ''] = params;
  const isRefusal =
    (REFUSALS.has(command) && !(command === ABOUT_CHANNELS_TOO && isChannelName(second))) ||
    // soju's own: `400 ada NICK :Failed to update nick`.
    (command === '400' && second === 'NICK') ||
    (command === 'FAIL' && first === 'NICK');
  return isRefusal ? `${command} ${params.at(-1) ?? ''}` : undefined;
}
