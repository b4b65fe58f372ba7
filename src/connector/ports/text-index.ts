/** Entries of a channel that the index does not have yet; a search must look at each of them. */
export interface IndexBacklog {
  accountId: string;
  channel: string;
  entryCount: number;
}

/** The index that makes searches fast; without it they find the same, more slowly. */
export interface TextIndexStore {
  /** What waits in each channel that has entries; counted in steps, so that no statement takes long. */
  backlog(accountId: string): Promise<IndexBacklog[]>;
  /** Takes some more entries of the channel into the index, in one transaction; returns how many. */
  extend(accountId: string, channel: string): Promise<number>;
}
