import type { IrcLine } from '../irc/line.ts';

/** Numerics that refuse a NICK; RFC 2812 §3.1.2 and what common servers add to it. */
const REFUSALS: ReadonlySet<string> = new Set('431 432 433 435 436 437 438 447 484 902'.split(' '));

/** It is also about channels; then it names one. */
const ABOUT_CHANNELS_TOO = '437';

/** The nick that this connection has asked for, and what the server has said to it. */
export class NickRequest {
  #isOpen = false;
  #refusal: string | undefined;

  /** Why the nick that was asked for last was not given, in the server's words. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  asks(): void {
    this.#isOpen = true;
    this.#refusal = undefined;
  }

  /** True when the line refuses the nick. @param isGranted whether it says that the account has another nick now */
  take(line: IrcLine, isGranted: boolean): boolean {
    if (isGranted) this.#answered(undefined);
    const reason = this.#isOpen ? reasonIn(line) : undefined;
    if (reason === undefined) return false;
    this.#answered(reason);
    return true;
  }

  #answered(refusal: string | undefined): void {
    this.#isOpen = false;
    this.#refusal = refusal;
  }
}

/** The server's words where the line refuses a nick. */
function reasonIn({ command, params }: IrcLine): string | undefined {
  const [first = '', second = ''] = params;
  const isRefusal =
    (REFUSALS.has(command) && !(command === ABOUT_CHANNELS_TOO && second.startsWith('#'))) ||
    // soju's own: `400 ada NICK :Failed to update nick`.
    (command === '400' && second === 'NICK') ||
    (command === 'FAIL' && first === 'NICK');
  return isRefusal ? `${command} ${params.at(-1) ?? ''}` : undefined;
}
