import type { Invalidations } from '../ports/invalidations.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';

/**
 * Account → last row that the person has deleted, while its entries are still being removed: no reader may return
 * those. Kept in memory, because each read checks it, and a deletion is rare.
 */
export class Forgotten {
  readonly #readers: Database;
  readonly #cache: Cache<{ row: number }, 'account'>;

  /** @param readers see `OpenDatabase` */
  constructor(readers: Database, invalidations: Invalidations) {
    this.#readers = readers;
    this.#cache = new Cache(invalidations, ['account'], { isStrict: true });
  }

  /** Returns the newest deleted row; 0 if no deletion is in progress. */
  async upTo(accountId: string): Promise<number> {
    const found = await this.#cache.read(accountId, { account: accountId }, () => this.#load(accountId));
    return found?.row ?? 0;
  }

  async #load(accountId: string): Promise<{ row: number } | undefined> {
    const account: { forget_to_row: number | string | null } | undefined = await this.#readers('accounts')
      .where('account_id', accountId)
      .first('forget_to_row');
    return account === undefined ? undefined : { row: Number(account.forget_to_row ?? 0) };
  }
}
