import { AccountSession } from './account-session.ts';
import type { ServiceContext } from './context.ts';

/** The sessions of all accounts, made when first needed; there are never more than accounts. */
export class AccountSessions {
  readonly #context: ServiceContext;
  readonly #sessions = new Map<string, AccountSession>();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  of(accountId: string): AccountSession {
    const known = this.#sessions.get(accountId);
    if (known !== undefined) return known;
    const session = new AccountSession(accountId, this.#context);
    this.#sessions.set(accountId, session);
    return session;
  }

  /** Takes up again what was online when the program ended. */
  async resumeAll(): Promise<void> {
    for (const { accountId } of await this.#context.store.accounts.listOnline()) this.of(accountId).resume();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }
}
