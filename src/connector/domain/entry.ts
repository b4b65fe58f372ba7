/** Kinds of activity, and `gap` for activity that could not be captured. @spec connector#activity-entry */
export const ENTRY_KINDS = ['message', 'action', 'join', 'part', 'kick', 'topic', 'mode', 'gap'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const TIMESTAMP_SOURCES = ['server', 'observed', 'local'] as const;
export type TimestampSource = (typeof TIMESTAMP_SOURCES)[number];

/**
 * Reasons for missing activity: the network was not connected; this person was not in the channel; the bouncer has lost
 * its history; one millisecond had more lines than the bouncer sends; the database refuses a line for good; the person
 * has moved to another network, which has a channel of this name, too.
 */
export const GAP_REASONS = [
  'disconnected',
  'not_joined',
  'history_lost',
  'too_many_at_once',
  'line_refused',
  'network_changed',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A period in which activity of a channel may be missing, in milliseconds since 1970. */
export interface CaptureGap {
  from: number;
  to: number;
  reason: GapReason;
}

/** One thing that happened in a channel. @spec connector#activity-entry */
export interface Entry {
  entryId: string;
  network: string;
  channel: string;
  kind: EntryKind;
  sender: string;
  /** The words that were said, or the topic, the modes, the reason; may be empty. */
  text: string;
  /** Nick of the kicked person; null for other kinds. */
  target: string | null;
  /** Milliseconds since 1970. */
  eventAt: number;
  observedAt: number;
  timestampSource: TimestampSource;
  messageId: string | null;
  /** The gap; null for all other kinds. */
  gap: CaptureGap | null;
}

/** A line from the bouncer that becomes an entry when it is stored. */
export interface CapturedLine {
  channel: string;
  kind: EntryKind;
  sender: string;
  text: string;
  target: string | null;
  /** Server time; undefined for a line without one. */
  serverAt: number | undefined;
  /** Base of the key that identifies the line; see fingerprint.ts. */
  fingerprintBase: string;
  /** Whether the line has an id of its own; without one, equal lines of one millisecond can't be distinguished. */
  isExact: boolean;
}

const COARSE_MS = 1_000;

/** Whether these lines look as if the bouncer stores whole seconds and no ids. */
export function isCoarse(lines: readonly CapturedLine[]): boolean {
  return lines.every(({ isExact, serverAt }) => !isExact && serverAt !== undefined && serverAt % COARSE_MS === 0);
}
