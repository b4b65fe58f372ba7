import type { AccountStore } from '../ports/account-store.ts';

/** Account → its slot, which never changes. */
export type OwnAccounts = Pick<AccountStore, 'slotOf' | 'idsIn'>;

/** The accounts that this process acts for: those in the slots that it has, or all where no slots are shared out. */
export class HeldAccounts {
  readonly #accounts: OwnAccounts | undefined;
  readonly #slots = new Set<number>();

  /** @param accounts undefined if this process acts for all accounts */
  constructor(accounts: OwnAccounts | undefined) {
    this.#accounts = accounts;
  }

  /** Whether accounts are shared out among processes. */
  get isDivided(): boolean {
    return this.#accounts !== undefined;
  }

  hasSlot(slot: number): boolean {
    return this.#slots.has(slot);
  }

  add(slots: Iterable<number>): void {
    for (const slot of slots) this.#slots.add(slot);
  }

  remove(slots: Iterable<number>): void {
    for (const slot of slots) this.#slots.delete(slot);
  }

  async holds(accountId: string): Promise<boolean> {
    return (await this.ifHeld(accountId, () => true)) ?? false;
  }

  /**
   * Does the work if the account is held, in the same turn in which that is found out: no release comes in between.
   * Otherwise it returns undefined.
   */
  async ifHeld<T>(accountId: string, work: () => T): Promise<T | undefined> {
    if (this.#accounts === undefined) return work();
    const slot = await this.#accounts.slotOf(accountId);
    return slot !== undefined && this.#slots.has(slot) ? work() : undefined;
  }

  /** Returns the ids of all accounts in these slots, held or not. */
  async idsIn(slots: ReadonlySet<number>): Promise<ReadonlySet<string>> {
    return new Set(await this.#accounts?.idsIn([...slots]));
  }
}
