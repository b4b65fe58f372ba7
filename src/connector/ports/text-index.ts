/** Entries of a channel that are found by looking at each, because the index does not have them yet. */
export interface IndexBacklog {
  accountId: string;
  channel: string;
  entryCount: number;
}

/** What makes searching quick; without it the same is found more slowly. */
export interface TextIndexStore {
  /** Channels with enough entries for the index to take some; asking looks through everything. */
  backlog(): Promise<IndexBacklog[]>;
  /** Takes some more entries of the channel into the index, in one transaction; returns how many. */
  extend(accountId: string, channel: string): Promise<number>;
}
