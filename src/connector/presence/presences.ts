import { chance } from '../random.ts';
import { AccountPresence } from './account-presence.ts';
import type { PresenceContext } from './context.ts';
import { Semaphore } from './semaphore.ts';

/** Accounts that attach at once in the background: the bouncer spends 50 ms of a processor on each one's password. */
const ATTACHES_AT_ONCE = 20;
/** After a start each account waits for a random time: a thousand accounts spread over half a minute, a few connect at once. */
const START_SPREAD_MS_PER_ACCOUNT = 30;
const START_SPREAD_MAX_MS = 30_000;

/** The sessions of all accounts, made when first needed; there are never more than accounts. */
export class Presences {
  readonly #context: PresenceContext;
  readonly #sessions = new Map<string, AccountPresence>();
  readonly #attaches = new Semaphore(ATTACHES_AT_ONCE);

  constructor(context: PresenceContext) {
    this.#context = context;
  }

  of(accountId: string): AccountPresence {
    const known = this.#sessions.get(accountId);
    if (known !== undefined) return known;
    const session = new AccountPresence(accountId, this.#context, this.#attaches);
    this.#sessions.set(accountId, session);
    return session;
  }

  /** How many accounts are online, and what waits for them. */
  levels(): { sessionsOnline: number; waitingTasks: number; waitingLines: number } {
    const sessions = [...this.#sessions.values()];
    const sum = (of: (session: AccountPresence) => number): number => sessions.reduce((all, one) => all + of(one), 0);
    return {
      sessionsOnline: sum(({ live }) => (live === undefined ? 0 : 1)),
      waitingTasks: sum(({ depth }) => depth.asks),
      waitingLines: sum(({ depth }) => depth.tells),
    };
  }

  /** Resumes the accounts that were online when the program ended. */
  async resumeAll(): Promise<void> {
    const { store } = this.#context;
    // A process that was killed could not say that its sessions ended.
    await store.presences.endAll();
    const accounts = await store.accounts.listOnline();
    const spreadMs = Math.min(START_SPREAD_MAX_MS, (accounts.length - 1) * START_SPREAD_MS_PER_ACCOUNT);
    for (const { accountId } of accounts) this.of(accountId).resume(chance() * spreadMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }
}
