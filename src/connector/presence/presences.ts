import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { Presence, PresenceStatus, SendOrder } from '../ports/presence.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';
import { AccountPresence } from './account-presence.ts';
import type { PresenceContext } from './context.ts';

/** Accounts that attach at once in the background: the bouncer spends 50 ms of a processor on each one's password. */
const ATTACHES_AT_ONCE = 20;
/** After a start each account waits for a random time: a thousand accounts spread over half a minute, a few connect at once. */
const START_SPREAD_MS_PER_ACCOUNT = 30;
const START_SPREAD_MAX_MS = 30_000;

/** The presence of all accounts, each made when first needed; there are never more than accounts. */
export class Presences implements Presence {
  readonly #context: PresenceContext;
  readonly #accounts = new Map<string, AccountPresence>();
  readonly #attaches = new Semaphore(ATTACHES_AT_ONCE);
  #isClosed = false;

  constructor(context: PresenceContext) {
    this.#context = context;
  }

  of(accountId: string): AccountPresence {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const presence = new AccountPresence(accountId, this.#context, this.#attaches);
    this.#accounts.set(accountId, presence);
    // A request that is still under way connects nobody any more.
    if (this.#isClosed) void presence.close();
    return presence;
  }

  /** An account that this process has had nothing to do with may have its session in another one, which writes it down. */
  async status(accountId: string): Promise<PresenceStatus | undefined> {
    const own = this.#accounts.get(accountId);
    return own === undefined ? this.#context.store.presences.find(accountId) : own.status;
  }

  goOnline(accountId: string): Promise<UpstreamState> {
    return this.of(accountId).goOnline();
  }

  goOffline(accountId: string): Promise<void> {
    return this.of(accountId).goOffline();
  }

  channelsChanged(accountId: string): Promise<boolean> {
    return this.of(accountId).channelsChanged();
  }

  nickChanged(accountId: string): Promise<void> {
    return this.of(accountId).nickChanged();
  }

  chooseNetwork(accountId: string, name: string): Promise<boolean> {
    return this.of(accountId).chooseNetwork(name);
  }

  send(accountId: string, order: SendOrder): Promise<OutgoingMessage> {
    return this.of(accountId).send(order);
  }

  async end(accountId: string): Promise<boolean> {
    const presence = this.#accounts.get(accountId);
    // Kept: whatever is asked of it meanwhile is refused, where a new one would try.
    return (await presence?.close()) ?? true;
  }

  /** How many accounts are online, and what waits for them. */
  levels(): { sessionsOnline: number; waitingTasks: number; waitingLines: number } {
    const accounts = [...this.#accounts.values()];
    const sum = (of: (account: AccountPresence) => number): number => accounts.reduce((all, one) => all + of(one), 0);
    return {
      sessionsOnline: sum(({ live }) => (live === undefined ? 0 : 1)),
      waitingTasks: sum(({ depth }) => depth.asks),
      waitingLines: sum(({ depth }) => depth.tells),
    };
  }

  /** A process that was killed could not say that its sessions ended. Call it before anybody may ask for anything. */
  forgetEarlier(): Promise<void> {
    return this.#context.store.presences.endAll();
  }

  /**
   * Resumes the accounts that were online when the program ended.
   * @param isAfterDeath the process before this one has not ended, as far as is known, and may still have sessions
   */
  async resumeAll(isAfterDeath = false): Promise<void> {
    const accounts = await this.#context.store.accounts.listOnline();
    const spreadMs = Math.min(START_SPREAD_MAX_MS, (accounts.length - 1) * START_SPREAD_MS_PER_ACCOUNT);
    for (const { accountId } of accounts) this.of(accountId).resume(chance() * spreadMs, isAfterDeath);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#accounts.values()].map((account) => account.close()));
  }
}
