import type { Casemapping } from '../domain/casemapping.ts';
import type { AccountStore } from '../ports/account-store.ts';

export interface CasemappingRecordOptions {
  accountId: string;
  accounts: Pick<AccountStore, 'find' | 'setCasemapping'>;
  /** Returns the casemapping that the session reports; undefined without one. */
  casemapping: () => Casemapping | undefined;
  /** Runs a task in the account's turn and retries it until it succeeds. */
  enqueue: (task: () => Promise<void>) => void;
}

/** Stores the network's casemapping, which is needed while the account is offline, too. */
export class CasemappingRecord {
  readonly #options: CasemappingRecordOptions;
  #noted: Casemapping | undefined;

  constructor(options: CasemappingRecordOptions) {
    this.#options = options;
  }

  /** Handles a change of the session. */
  changed(): void {
    const { accountId, accounts, enqueue } = this.#options;
    const casemapping = this.#options.casemapping();
    if (casemapping === this.#noted) return;
    this.#noted = casemapping;
    if (casemapping === undefined) return;
    enqueue(async () => {
      // The session may belong to another network by now.
      if (this.#options.casemapping() !== casemapping) return;
      if ((await accounts.find(accountId))?.casemapping !== casemapping) {
        await accounts.setCasemapping(accountId, casemapping);
      }
    });
  }
}
