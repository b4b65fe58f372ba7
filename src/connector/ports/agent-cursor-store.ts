import type { Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';

/** Agent session that reads unread activity; each has its own cursors. */
export interface Reader extends Caller {
  sessionId: string;
}

export interface UnreadBatch {
  /** Oldest first, by arrival. */
  entries: Entry[];
  hasMore: boolean;
  /** Whether the batch is shorter than requested because of its size. */
  isTruncated: boolean;
  /** Whether retention removed entries that the session has not acknowledged. */
  hasGap: boolean;
}

export interface BatchBounds {
  limit: number;
  /** Returns the first ones of the entries, as many as there is room for. */
  cut: (entries: readonly Entry[]) => readonly Entry[];
}

export interface CursorPosition {
  unreadCount: number;
  lastAcknowledgedEntryId: string | null;
}

/** A channel with unread entries. */
export interface WaitingChannel {
  channel: string;
  unreadCount: number;
}

/** Unread entries of sessions: those after the cursor, except for the session's own sends and failed ones. */
export interface AgentCursorStore {
  /** Returns the entries that were delivered and not acknowledged; otherwise the next ones that `cut` leaves. */
  nextBatch(reader: Reader, channel: string, bounds: BatchBounds): Promise<UnreadBatch>;
  /**
   * Does the same for channels, one after the other, with few statements besides one for each channel.
   * @param boundsOf gets the channel's index and the batch of the channel before; undefined leaves this channel and all later ones out
   */
  nextBatches(
    reader: Reader,
    channels: readonly string[],
    boundsOf: (index: number, before: UnreadBatch | undefined) => BatchBounds | undefined,
  ): Promise<UnreadBatch[]>;
  /** Moves the cursor to the entry, never back; false for an entry that was not delivered to the session. */
  acknowledge(reader: Reader, channel: string, entryId: string): Promise<boolean>;
  positions(reader: Reader, channels: readonly string[]): Promise<Map<string, CursorPosition>>;
  /**
   * Returns those of the channels that have unread entries, the least recently acknowledged first. So no channel waits
   * while others are read again and again, and the order stays until the session acknowledges entries.
   */
  waiting(reader: Reader, channels: readonly string[]): Promise<WaitingChannel[]>;
}
