import type { CaptureGap, Entry } from '../domain/entry.ts';
import type { ObservedLine } from './bouncer-session.ts';

/** Stores the lines that the bouncer reports. */
export interface CaptureStore {
  /** Records from when on the lines of channels of a network are captured; does nothing for channels that have a record. */
  begin(accountId: string, network: string, channels: readonly string[], at: number): Promise<void>;
  /** The time up to which all lines of the channel are stored. */
  syncedTo(accountId: string, network: string, channel: string): Promise<number>;
  /** Up to when lines of the channel were removed, by the server's clock; undefined where none were. Replays begin later. */
  removedTo(accountId: string, network: string, channel: string): Promise<number | undefined>;
  /** Whether any line of the channel with a server time in this period is stored. */
  hasLines(accountId: string, network: string, channel: string, period: { from: number; to: number }): Promise<boolean>;
  /** Stores lines in one transaction. A line that comes again is not stored twice, and a replayed one that was removed not at all. */
  ingest(accountId: string, network: string, batch: CaptureBatch): Promise<Ingested>;
  /** An earlier version did not store of which network its records are: there was this one. */
  nameNetwork(network: string): Promise<void>;
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
