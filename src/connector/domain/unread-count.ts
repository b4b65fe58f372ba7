/** Two numbers that only grow: entries that ever got a place, and entries that have lost it since. */
export interface Counts {
  stored: number;
  /** Entries removed by retention, and sends that failed. */
  gone: number;
}

/** Number of stored entries that the session is done with: acknowledged, or gone before that. */
export interface Passed {
  passed: number;
  /** The same number for the session's own sends. */
  ownPassed: number;
}

/** Counts of a channel for one session. */
export interface UnreadCounts {
  entries: Counts;
  /** The session's own sends: those that named it, and those of its client without a session. */
  own: Counts;
  /** Undefined until the session reads the channel. */
  cursor: Passed | undefined;
}

export const NOTHING: Counts = { stored: 0, gone: 0 };

export const sumOf = (a: Counts, b: Counts): Counts => ({ stored: a.stored + b.stored, gone: a.gone + b.gone });

/** The start of a session: it has all earlier entries except those that are gone. */
export const startOf = (entries: Counts, own: Counts): Passed => ({ passed: entries.gone, ownPassed: own.gone });

/** Number of unread entries of the session, computed without counting rows. */
export function unreadCount({ entries, own, cursor = startOf(entries, own) }: UnreadCounts): number {
  return entries.stored - cursor.passed - (own.stored - cursor.ownPassed);
}
