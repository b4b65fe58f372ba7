import type { Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';

/** The agent session that reads unread activity; each has its own cursors. */
export interface Reader extends Caller {
  sessionId: string;
}

export interface UnreadBatch {
  /** Oldest first, by arrival. */
  entries: Entry[];
  hasMore: boolean;
  /** Whether the batch is shorter than asked for because of its size. */
  isTruncated: boolean;
  /** Whether retention removed entries the session has not acknowledged. */
  hasGap: boolean;
}

export interface CursorPosition {
  unreadCount: number;
  lastAcknowledgedEntryId: string | null;
}

/** What is unread for a session: entries after its cursor that it did not send itself and that did not fail. */
export interface AgentCursorStore {
  /** The entries that were delivered and not acknowledged; if there are none, the next ones that `cut` leaves. */
  nextBatch(
    reader: Reader,
    channel: string,
    bounds: { limit: number; cut: (entries: readonly Entry[]) => readonly Entry[] },
  ): Promise<UnreadBatch>;
  /** Moves the cursor to the entry, never back; false for an entry that was not delivered to the session. */
  acknowledge(reader: Reader, channel: string, entryId: string): Promise<boolean>;
  positions(reader: Reader, channels: readonly string[]): Promise<Map<string, CursorPosition>>;
}
