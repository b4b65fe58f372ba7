import type { CaptureGap, Entry } from '../domain/entry.ts';
import type { ObservedLine } from './bouncer-session.ts';

/** What the bouncer told, on its way to the database. */
export interface CaptureStore {
  /** Notes since when channels are to be known, for those of which nothing is noted. */
  begin(accountId: string, channels: readonly string[], at: number): Promise<void>;
  /** Up to when all of the channel's lines are stored. */
  syncedTo(accountId: string, channel: string): Promise<number>;
  /** Whether lines of the channel with a server's time are stored for this time. */
  hasLines(accountId: string, channel: string, from: number, to: number): Promise<boolean>;
  /** Stores lines in one transaction, each once, whether it came before or comes again. */
  ingest(accountId: string, network: string, batch: CaptureBatch): Promise<Ingested>;
  addGap(accountId: string, network: string, channel: string, gap: CaptureGap): Promise<void>;
}

export interface CaptureBatch {
  lines: readonly ObservedLine[];
  /** True for a replayed page, which has all lines of its milliseconds. */
  isReplay: boolean;
  /** Channels of which nothing before these lines is missing. */
  synced: ReadonlySet<string>;
}

export interface Ingested {
  entries: Entry[];
  /** Lines that were stored before. */
  knownCount: number;
  /** Lines of own messages of which the server's echo came. */
  echoedCount: number;
  /** Lines the database will never take: a gap stands for each. */
  refusedCount: number;
}
