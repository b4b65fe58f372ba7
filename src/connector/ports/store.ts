import type { AccountStore } from './account-store.ts';
import type { AgentCursorStore } from './agent-cursor-store.ts';
import type { CallStore } from './call-store.ts';
import type { CaptureStore } from './capture-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { DownloadStore } from './download-store.ts';
import type { EntryStore, HistoryStore } from './history-store.ts';
import type { MessageStore } from './message-store.ts';
import type { LoginAttemptStore, NetworkLoginStore } from './network-login-store.ts';
import type { OrderStore } from './order-store.ts';
import type { PresenceStore } from './presence-store.ts';
import type { RemovalStore } from './removal-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export interface Store {
  accounts: AccountStore;
  entries: EntryStore;
  history: HistoryStore;
  messages: MessageStore;
  networkLogins: NetworkLoginStore;
  loginAttempts: LoginAttemptStore;
  presences: PresenceStore;
  capture: CaptureStore;
  retention: RetentionStore;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  removals: RemovalStore;
  orders: OrderStore;
  downloads: DownloadStore;
  calls: CallStore;
  textIndex: TextIndexStore;
  agentCursors: AgentCursorStore;
  agentSessions: AgentSessionStore;
  browserSessions: BrowserSessionStore;
}

/** The sessions of one client of an account. */
export interface ClientSessions {
  clientId: string;
  sessions: number;
  /** Milliseconds since 1970, to the minute. */
  lastUsedAt: number;
}

export interface AgentSessionStore {
  create(accountId: string, clientId: string): Promise<string>;
  /** Extends the session; false if it is unknown, expired, or of another client. */
  touch(sessionId: string, accountId: string, clientId: string): Promise<boolean>;
  /** Lists the live sessions by client. */
  ofAccount(accountId: string): Promise<ClientSessions[]>;
  /** Removes at most `limit` expired sessions; returns how many. */
  removeEnded(limit: number): Promise<number>;
  /**
   * Removes send numbers that ended sessions left behind. Checks the next `limit` sessions; returns how many had such
   * numbers.
   */
  removeStrayCounts(limit: number): Promise<number>;
}

export interface BrowserSession {
  accountId: string;
  csrfToken: string;
}

export interface BrowserSessionStore {
  /**
   * Returns the secret for the cookie; only its hash is stored.
   * @param csrfToken the proof that the forms of the session carry; a new one by default
   */
  create(accountId: string, csrfToken?: string): Promise<string>;
  /** Returns the session of a cookie; each use extends it. */
  use(secret: string): Promise<BrowserSession | undefined>;
  destroy(secret: string): Promise<void>;
  /** Removes at most `limit` sessions that have ended; returns how many. */
  removeEnded(limit: number): Promise<number>;
}

/** Entries to remove: their person has deleted the history, or is being removed. */
export interface OwedDeletion {
  accountId: string;
  /** Newest row to remove; null for all. */
  upTo: number | null;
}

/** Removes entries, the oldest first, at most `limit` in one transaction; returns how many. */
export interface RetentionStore {
  pruneOlder(accountId: string, before: number, limit: number): Promise<number>;
  pruneOldest(accountId: string, limit: number): Promise<number>;
  /**
   * Makes all present entries owed for removal, except for sends that are still on their way; replays do not store them
   * again.
   */
  forgetStored(accountId: string): Promise<void>;
  owed(): Promise<OwedDeletion[]>;
  /** Removes owed entries; returns 0 if all are removed. */
  removeOwed(owed: OwedDeletion, limit: number): Promise<number>;
  /** Returns the number of entries beyond the newest `keep`. It counts all of them: call it once, not at each step. */
  excess(accountId: string, keep: number): Promise<number>;
}

/** Entries of a channel that are not indexed yet; a search must read each of them. */
export interface IndexBacklog {
  accountId: string;
  channel: string;
  entryCount: number;
}

/** The index that makes searches fast; without it they have the same results, but are slower. */
export interface TextIndexStore {
  /** Returns the backlog of each channel that has entries; counted in steps, so that no statement takes long. */
  backlog(accountId: string): Promise<IndexBacklog[]>;
  /** Adds some more entries of the channel to the index, in one transaction; returns how many. */
  extend(accountId: string, channel: string): Promise<number>;
}
