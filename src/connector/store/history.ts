import type { HistoryStore } from '../ports/history.ts';
import type { Database } from './database.ts';
import { inRange, readNewestFirst } from './history-range.ts';
import { searchNewestFirst } from './search.ts';

export function createHistoryStore(database: Database): HistoryStore {
  return {
    newestFirst: async (accountId, { phrase, ...range }) => {
      if (phrase !== undefined) return searchNewestFirst(database, accountId, { ...range, phrase });
      return readNewestFirst(database, inRange(database('entries'), accountId, range).limit(range.limit));
    },
  };
}
