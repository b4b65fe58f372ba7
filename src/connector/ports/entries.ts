import type { Entry } from '../domain/entry.ts';

export interface EntryStore {
  /** The one received last: no gap, and no send that failed or has not come back. */
  newestReceived(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
}
