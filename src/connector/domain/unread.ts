/** Two numbers that only grow: how many entries ever got a place, and how many of those have left it since. */
export interface Counts {
  stored: number;
  /** Removed by retention, or sends that failed. */
  gone: number;
}

/** How much of what was stored a session is done with: acknowledged, or gone before it could be. */
export interface Passed {
  passed: number;
  /** The same of the session's own sends. */
  ownPassed: number;
}

/** A channel as one session sees it. */
export interface UnreadCounts {
  entries: Counts;
  /** The session's own sends: those it named itself in, and those of its client without a session. */
  own: Counts;
  /** Undefined until the session reads the channel. */
  cursor: Passed | undefined;
}

export const NOTHING: Counts = { stored: 0, gone: 0 };

export const sumOf = (a: Counts, b: Counts): Counts => ({ stored: a.stored + b.stored, gone: a.gone + b.gone });

/** A session that starts has everything before it but what is gone. */
export const startOf = (entries: Counts, own: Counts): Passed => ({ passed: entries.gone, ownPassed: own.gone });

/** How many entries wait for the session, without counting them. */
export function unreadCount({ entries, own, cursor = startOf(entries, own) }: UnreadCounts): number {
  return entries.stored - cursor.passed - (own.stored - cursor.ownPassed);
}
