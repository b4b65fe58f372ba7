import type { CaptureGap, Entry } from '../domain/entry.ts';
import type { ObservedLine } from './bouncer-session.ts';

/** Stores the lines that the bouncer reports. */
export interface CaptureStore {
  /** Records from when on the lines of a channel are captured; does nothing for channels that have a record. */
  begin(accountId: string, channels: readonly string[], at: number): Promise<void>;
  /** The time up to which all lines of the channel are stored. */
  syncedTo(accountId: string, channel: string): Promise<number>;
  /** Whether any line of the channel with a server time in this period is stored. */
  hasLines(accountId: string, channel: string, from: number, to: number): Promise<boolean>;
  /** Stores lines in one transaction. A line that comes again is not stored twice. */
  ingest(accountId: string, network: string, batch: CaptureBatch): Promise<Ingested>;
  addGap(accountId: string, network: string, channel: string, gap: CaptureGap): Promise<void>;
}

export interface CaptureBatch {
  lines: readonly ObservedLine[];
  /** True for a replayed page; it has all lines of each of its milliseconds. */
  isReplay: boolean;
  /** Channels whose earlier lines are all stored. */
  synced: ReadonlySet<string>;
}

export interface Ingested {
  entries: Entry[];
  /** How many lines were stored already. */
  knownCount: number;
  /** How many lines of own messages got the server's echo. */
  echoedCount: number;
  /** Lines that the database refuses for good; a gap replaces each. */
  refusedCount: number;
}
