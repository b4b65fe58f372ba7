import type { ProgramFailure } from '../../desktop/run-program.ts';
import type { Notification } from '../../engine/engine-host.ts';
import { BurstCredit } from './burst-credit.ts';

/** Messages that may be shown in a burst, and the time until one more may be shown. */
const BURST_MAX = 5;
const INTERVAL_MS = 3_000;

/** Most characters of a message; desktops show far fewer. */
const TITLE_MAX_CHARACTERS = 128;
const BODY_MAX_CHARACTERS = 1_024;

export interface NotificationParts {
  /** Starts the desktop's program with these arguments, without a shell. */
  run(program: string, args: readonly string[], failed: (failure: ProgramFailure) => void): void;
  nowMs(): number;
  warn(message: string): void;
  /** Names of the notified subject in a warning. */
  subject: { one: string; all: string };
}

/** Messages that the desktop's own program shows. Their rate is limited. ours: decision 93 */
export class Notifications {
  readonly #parts: NotificationParts;
  readonly #credit: BurstCredit;
  #isMissing = false;
  #hasLoggedFailure = false;

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

  /**
   * Logs the first failure. Only a missing program ends further attempts: a desktop that was not ready may show the
   * next message.
   */
  #takeFailure({ message, isMissing }: ProgramFailure): void {
    this.#isMissing ||= isMissing;
    if (this.#hasLoggedFailure) return;
    this.#hasLoggedFailure = true;
    const { one, all } = this.#parts.subject;
    this.#parts.warn(`${isMissing ? `${all} are not shown` : `${one} was not shown`}: ${message}`);
  }
}

const cleaned = (text: string, most: number): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)
    // Drops half of a surrogate pair at the end.
    .replace(/[\ud800-\udbff]$/, '');

/**
 * Desktops read the body as a small markup, in which a message could have images and links. `notify-send` first decodes
 * escapes with backslashes, and `\074` would become the sign that begins markup.
 */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
