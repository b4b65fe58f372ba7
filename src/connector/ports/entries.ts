import type { Entry } from '../domain/entry.ts';

export interface EntryStore {
  newest(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
}
