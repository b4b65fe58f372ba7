import type { Casemapping } from '../domain/casemapping.ts';
import type { PlacedEntry } from '../ports/history-store.ts';
import type { Subject } from '../ports/invalidations.ts';
import type { Database } from './database.ts';

export interface NickInUse {
  nick: string;
  casemapping: Casemapping;
}

/** Entries that were just stored, as reactions receive them. */
export interface Stored {
  /** The transaction that stores them. */
  transaction: Database;
  accountId: string;
  network: string;
  now: number;
  /** New entries in order of arrival, gaps and own sends too. */
  entries: readonly PlacedEntry[];
  /**
   * Entry → the nick in use when its line came, and how its network compares nicks. Gaps, own sends, and lines without
   * that information are missing.
   */
  nicks?: ReadonlyMap<string, NickInUse>;
  /** Collects a further subject to invalidate once the transaction is committed. */
  invalidate(subject: Subject): void;
}

/**
 * Runs in the transaction that stores the entries: its changes commit with them or not at all. It only uses the
 * database, because all accounts wait for it.
 */
export type Reaction = (stored: Stored) => Promise<void>;
