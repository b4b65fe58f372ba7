import { DOWNLOADS_AT_ONCE } from '../domain/limits.ts';
import { downloadsExhausted, historyBusy } from '../errors.ts';

/**
 * Downloads of histories that are under way. One process has the database, so this map has all of them; the deletion of
 * a history and the removal of an account look here first.
 */
export class Downloads {
  /** Account that downloads → account whose history it downloads. */
  readonly #underWay = new Map<string, string>();

  /** Begins a download. Call `end` afterwards. @throws RetryLater history_busy, downloads_exhausted */
  begin(readerId: string, accountId: string): void {
    if (this.#underWay.has(readerId))
      throw historyBusy('you are downloading a history at this moment, and one is enough');
    if (this.#underWay.size >= DOWNLOADS_AT_ONCE) throw downloadsExhausted();
    this.#underWay.set(readerId, accountId);
  }

  end(readerId: string): void {
    this.#underWay.delete(readerId);
  }

  /** The accounts that are downloading the history of this one. */
  readersOf(accountId: string): string[] {
    return [...this.#underWay].flatMap(([readerId, ofAccount]) => (ofAccount === accountId ? [readerId] : []));
  }
}
