import type { AccountStore } from './accounts.ts';
import type { AgentCursorStore } from './agent-cursors.ts';
import type { CaptureStore } from './capture.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { EntryStore, HistoryStore } from './history.ts';
import type { MessageStore } from './messages.ts';
import type { PresenceStore } from './presences.ts';
import type { RemovalStore } from './removals.ts';
import type { SubscriptionStore } from './subscriptions.ts';

export interface Store {
  accounts: AccountStore;
  entries: EntryStore;
  history: HistoryStore;
  messages: MessageStore;
  presences: PresenceStore;
  capture: CaptureStore;
  retention: RetentionStore;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  removals: RemovalStore;
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
  /** Extends the session; false when it is unknown, expired, or of another client. */
  touch(sessionId: string, accountId: string, clientId: string): Promise<boolean>;
  /** Those that live. */
  ofAccount(accountId: string): Promise<ClientSessions[]>;
  /** Removes at most `limit` expired sessions; returns how many. */
  removeEnded(limit: number): Promise<number>;
  /** Removes numbers of sends that an ended session left behind. Looks at the next `limit` sessions; returns of how many. */
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
  /** The session of a cookie; each use extends it. */
  use(secret: string): Promise<BrowserSession | undefined>;
  destroy(secret: string): Promise<void>;
  /** Removes at most `limit` sessions that have ended; returns how many. */
  removeEnded(limit: number): Promise<number>;
}

/** Entries that are to go: their person has deleted the history, or is being removed. */
export interface OwedDeletion {
  accountId: string;
  /** The newest row that goes; null where all go. */
  upTo: number | null;
}

/** Removes entries, the oldest first, at most `limit` in one transaction; returns how many. */
export interface RetentionStore {
  pruneOlder(accountId: string, before: number, limit: number): Promise<number>;
  pruneOldest(accountId: string, limit: number): Promise<number>;
  /** Everything that is stored at this moment is owed from now on, but for a send that is still on its way; no replay stores it again. */
  forgetStored(accountId: string): Promise<void>;
  owed(): Promise<OwedDeletion[]>;
  /** Removes what is owed; 0 when nothing is left. */
  removeOwed(owed: OwedDeletion, limit: number): Promise<number>;
  /** How many entries the account has beside the newest `keep`. It counts them all: ask once, not at each step. */
  excess(accountId: string, keep: number): Promise<number>;
}

/** Entries of a channel that the index does not have yet; a search must look at each of them. */
export interface IndexBacklog {
  accountId: string;
  channel: string;
  entryCount: number;
}

/** The index that makes searches fast; without it they find the same, more slowly. */
export interface TextIndexStore {
  /** What waits in each channel that has entries; counted in steps, so that no statement takes long. */
  backlog(accountId: string): Promise<IndexBacklog[]>;
  /** Takes some more entries of the channel into the index, in one transaction; returns how many. */
  extend(accountId: string, channel: string): Promise<number>;
}
