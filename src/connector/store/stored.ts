import type { Casemapping } from '../domain/casemapping.ts';
import type { PlacedEntry } from '../ports/history.ts';
import type { Subject } from '../ports/invalidations.ts';
import type { Database } from './database.ts';

export interface NickInUse {
  nick: string;
  casemapping: Casemapping;
}

/** Entries that were just stored. */
export interface Stored {
  /** The transaction that stores them. */
  transaction: Database;
  accountId: string;
  network: string;
  now: number;
  /** New entries in order of arrival, gaps and own sends too. */
  entries: readonly PlacedEntry[];
  /** The nick in use when a line came, and how its network compares nicks, by its entry; gaps, own sends and lines of which it is not known have none. */
  nicks?: ReadonlyMap<string, NickInUse>;
  /** Tells of a further change once the transaction is committed. */
  tell(subject: Subject): void;
}

/**
 * Runs in the transaction that stores the entries: what it does commits with them or not at all. It only uses the
 * database, because all accounts wait for it.
 */
export type Reaction = (stored: Stored) => Promise<void>;
