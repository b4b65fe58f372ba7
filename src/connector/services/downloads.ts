import { DOWNLOADS_AT_ONCE } from '../domain/limits.ts';
import { downloadsExhausted, historyBusy } from '../errors.ts';

/** Who downloads whose history at this moment. One process has the database, so its memory knows of all of them. */
export class Downloads {
  /** By the account of who reads it: whose it is. */
  readonly #underWay = new Map<string, string>();

  /** Call `end` afterwards. @throws RetryLater history_busy, downloads_exhausted */
  begin(readerId: string, accountId: string): void {
    if (this.#underWay.has(readerId))
      throw historyBusy('you are downloading a history at this moment, and one is enough');
    if (this.#underWay.size >= DOWNLOADS_AT_ONCE) throw downloadsExhausted();
    this.#underWay.set(readerId, accountId);
  }

  end(readerId: string): void {
    this.#underWay.delete(readerId);
  }

  /** Accounts that read the history of this one. */
  readersOf(accountId: string): string[] {
    return [...this.#underWay].flatMap(([readerId, ofAccount]) => (ofAccount === accountId ? [readerId] : []));
  }
}
