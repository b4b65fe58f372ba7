import type { ProgramFailure } from '../desktop/run-program.ts';
import type { Notification } from '../engine/engine-host.ts';
import { BurstCredit } from './burst-credit.ts';

/** Messages that may be shown at once, and how long it takes until one more may be. */
const BURST_MAX = 5;
const INTERVAL_MS = 3_000;

/** Characters that are shown; desktops show far fewer. */
const TITLE_MAX_CHARACTERS = 128;
const BODY_MAX_CHARACTERS = 1_024;

export interface NotificationParts {
  /** Starts the desktop's program with these arguments, without a shell. */
  run(program: string, args: readonly string[], failed: (failure: ProgramFailure) => void): void;
  nowMs(): number;
  warn(message: string): void;
  /** What it shows, in the words of a warning. */
  subject: { one: string; all: string };
}

/** Messages that are shown by the desktop's own program. A flood of them is cut. ours: decisions/0093 */
export class Notifications {
  readonly #parts: NotificationParts;
  readonly #credit: BurstCredit;
  #isMissing = false;
  #hasToldFailure = false;

  constructor(parts: NotificationParts) {
    this.#parts = parts;
    this.#credit = new BurstCredit({ most: BURST_MAX, intervalMs: INTERVAL_MS, nowMs: () => parts.nowMs() });
  }

  show({ title, body }: Notification): void {
    if (this.#isMissing || !this.#credit.take()) return;
    const summary = cleaned(title, TITLE_MAX_CHARACTERS) || 'termprog';
    const args = ['--app-name=termprog', '--', summary, escaped(cleaned(body, BODY_MAX_CHARACTERS))];
    this.#parts.run('notify-send', args, (failure) => this.#takeFailure(failure));
  }

  /** A desktop that was not ready may be so for the next message. */
  #takeFailure({ message, isMissing }: ProgramFailure): void {
    this.#isMissing ||= isMissing;
    if (this.#hasToldFailure) return;
    this.#hasToldFailure = true;
    const { one, all } = this.#parts.subject;
    this.#parts.warn(`${isMissing ? `${all} are not shown` : `${one} was not shown`}: ${message}`);
  }
}

const cleaned = (text: string, most: number): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)
    // Half a character at the end is none.
    .replace(/[\ud800-\udbff]$/, '');

/**
 * Desktops read the body as a small markup, in which a message could have images and links. `notify-send` reads escapes
 * with backslashes in it before, of which `\074` is the sign that begins markup.
 */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
