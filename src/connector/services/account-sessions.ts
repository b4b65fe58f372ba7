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

  /** How many accounts are online, and what waits for them. */
  levels(): { sessionsOnline: number; waitingTasks: number; waitingLines: number } {
    const sessions = [...this.#sessions.values()];
    const sum = (of: (session: AccountSession) => number): number => sessions.reduce((all, one) => all + of(one), 0);
    return {
      sessionsOnline: sum(({ live }) => (live === undefined ? 0 : 1)),
      waitingTasks: sum(({ waitingTasks }) => waitingTasks),
      waitingLines: sum(({ waitingLines }) => waitingLines),
    };
  }

  /** Takes up again what was online when the program ended. */
  async resumeAll(): Promise<void> {
    for (const { accountId } of await this.#context.store.accounts.listOnline()) this.of(accountId).resume(0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }
}
