import type { HistoryStore } from '../ports/history.ts';
import type { Database } from './database.ts';
import { inRange, newestFirst, PLACED_COLUMNS, type PlacedRow, placedEntryOf } from './history-range.ts';
import { searchNewestFirst } from './search.ts';

export function createHistoryStore(database: Database): HistoryStore {
  return {
    newestFirst: async (accountId, { phrase, ...range }) => {
      if (phrase !== undefined) return searchNewestFirst(database, accountId, { ...range, phrase });
      const rows: PlacedRow[] = await inRange(database('entries'), accountId, range)
        .orderBy(newestFirst('entries'))
        .limit(range.limit)
        .select(...PLACED_COLUMNS);
      return rows.map(placedEntryOf);
    },
  };
}
