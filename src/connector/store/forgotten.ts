import type { Invalidations } from '../ports/invalidations.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';

/**
 * Up to which rows people have deleted their histories, while entries are still to be removed. Nobody reads those any more.
 * In memory, because each reading asks, and hardly ever is anything being deleted.
 */
export class Forgotten {
  readonly #readers: Database;
  readonly #cache: Cache<{ row: number }, 'account'>;

  /** @param readers see `OpenDatabase` */
  constructor(readers: Database, invalidations: Invalidations) {
    this.#readers = readers;
    this.#cache = new Cache(invalidations, ['account']);
  }

  /** The newest row that nobody reads any more; 0 where nothing is being deleted. */
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
