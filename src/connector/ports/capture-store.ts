import type { CaptureGap, Entry } from '../domain/entry.ts';
import type { ObservedLine } from './bouncer-session.ts';

/** Stores the lines that the bouncer reports. */
export interface CaptureStore {
  /** Records the time from which channels of a network are captured; no effect for channels with a record. */
  begin(accountId: string, network: string, channels: readonly string[], at: number): Promise<void>;
  /** Returns the time up to which all lines of the channel are stored. */
  syncedTo(accountId: string, network: string, channel: string): Promise<number>;
  /**
   * Returns the time, by the server's clock, up to which lines of the channel were removed; undefined if no lines were.
   * Replays begin later.
   */
  removedTo(accountId: string, network: string, channel: string): Promise<number | undefined>;
  /** Returns whether a line of the channel with a server time in this period is stored. */
  hasLines(accountId: string, network: string, channel: string, period: { from: number; to: number }): Promise<boolean>;
  /**
   * Stores lines in one transaction. A repeated line is stored once; a removed line is not stored again by a replay.
   */
  ingest(accountId: string, network: string, batch: CaptureBatch): Promise<Ingested>;
  /** Names the network of records from an earlier version, which knew only this one. */
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
  /** Number of lines that were stored already. */
  knownCount: number;
  /** Number of own lines that got the server's echo. */
  echoedCount: number;
  /** Number of lines that the database permanently refuses; a gap replaces each. */
  refusedCount: number;
}
