import type { HistoryStore } from '../ports/history.ts';
import type { Database } from './database.ts';
import { type EntryRow, entryOf } from './entries.ts';

export function createHistoryStore(database: Database): HistoryStore {
  return {
    newestFirst: async (accountId, { channels, limit, before, since, phrase }) => {
      const query = database('entries')
        .where('account_id', accountId)
        .whereIn('channel', [...channels])
        .orderBy([
          { column: 'event_at', order: 'desc' },
          { column: 'row', order: 'desc' },
        ])
        .limit(limit);
      if (since !== undefined) query.where('event_at', '>=', since);
      if (before !== undefined) query.whereRaw('(event_at, ??) < (?, ?)', ['row', before.eventAt, before.row]);
      if (phrase !== undefined) query.whereRaw("text_folded like ? escape '\\'", [`%${likeLiteral(phrase)}%`]);
      const rows: (EntryRow & { row: number | string })[] = await query;
      return rows.map((row) => ({ ...entryOf(row), row: Number(row.row) }));
    },
  };
}

/** The characters that mean something to LIKE, as themselves; both databases then compare folded texts alike. */
const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
