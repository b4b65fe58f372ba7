import type { Clock } from '../../kernel/clock.ts';
import { REFRESH_REPEAT_MS } from '../domain/limits.ts';

/** Most refresh tokens whose answers are kept; each belongs to a client that a person has allowed. */
const TOKENS_MAX = 1_000;
/** Most answers kept for one refresh token: only one of its attempts can be stored. */
const ATTEMPTS_MAX = 5;

/** The record that holds an answer. */
interface AnswerRow {
  /** Hash of the token that was used. */
  id_hash: string;
  /** Hash of the refresh token in the answer. */
  uid_hash: string | null;
  payload_sealed: string;
}

interface Unheard {
  answers: AnswerRow[];
  /** When a client first got one of them, monotonic milliseconds. */
  heardAt?: number;
}

/**
 * Keeps answers to uses of refresh tokens that no client has received: the database could not say whether it stored the
 * use, or the client had disconnected. Such a client asks again when it needs a token, perhaps long after the minute in
 * which a use may be repeated. The minute begins when it gets the answer. A restart loses them; then the minute began
 * with the use.
 */
export class UnheardAnswers {
  readonly #clock: Clock;
  readonly #byToken = new Map<string, Unheard>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(answer: AnswerRow): void {
    const known = this.#current(answer.id_hash);
    // Its minute goes on: this was a further use.
    if (known?.heardAt !== undefined) return;
    this.#byToken.delete(answer.id_hash);
    const [oldest] = this.#byToken.keys();
    if (oldest !== undefined && this.#byToken.size >= TOKENS_MAX) this.#byToken.delete(oldest);
    this.#byToken.set(answer.id_hash, { answers: [...(known?.answers ?? []), answer].slice(-ATTEMPTS_MAX) });
  }

  /**
   * Returns the answers that may be repeated for this token, if one was stored and its own refresh token is not used
   * yet.
   */
  of(idHash: string): readonly AnswerRow[] {
    return this.#current(idHash)?.answers ?? [];
  }

  /** Records that a waiting client gets the answer now. */
  heard(idHash: string): void {
    const known = this.#current(idHash);
    if (known !== undefined) known.heardAt ??= this.#clock.monotonic();
  }

  #current(idHash: string): Unheard | undefined {
    const known = this.#byToken.get(idHash);
    if (known?.heardAt === undefined || this.#clock.monotonic() - known.heardAt < REFRESH_REPEAT_MS) return known;
    this.#byToken.delete(idHash);
    return undefined;
  }
}
