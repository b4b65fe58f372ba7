import type { HistoryState, HistoryStore } from '../ports/history-store.ts';
import { readAround } from './around.ts';
import { channelsWithEntries } from './channels-with-entries.ts';
import type { Database } from './database.ts';
import type { Forgotten } from './forgotten.ts';
import { inRange, lastOfNewest, ofKinds, readNewestFirst } from './history-range.ts';
import { readEntries } from './read-entries.ts';
import { searchNewestFirst } from './search.ts';

interface StateRow {
  history_from: number | string | null;
  forget_to_row: number | string | null;
}

export function createHistoryStore(database: Database, forgotten: Forgotten): HistoryStore {
  return {
    state: async (accountId) => {
      const row: StateRow | undefined = await database('accounts')
        .where('account_id', accountId)
        .whereNull('removed_at')
        .first('history_from', 'forget_to_row');
      return row === undefined ? undefined : stateOf(row);
    },
    channels: (accountId) => channelsWithEntries(database, accountId),
    byArrival: async (accountId, channel, { after, limit }) => {
      const query = database('entries')
        .where({ 'entries.account_id': accountId, 'entries.channel': channel })
        .where('entries.row', '>', after)
        .limit(limit);
      const entries = await readEntries(database, query, (table) => [{ column: `${table}.row`, order: 'asc' }]);
      return entries.map(({ row, entry }) => ({ ...entry, row }));
    },
    placeOf: async (accountId, entryId, channels) => {
      const row: { event_at: number | string; row: number | string } | undefined = await database('entries')
        .where({ account_id: accountId, entry_id: entryId })
        .where('row', '>', await forgotten.upTo(accountId))
        .whereIn('channel', [...channels])
        .first('event_at', 'row');
      return row === undefined ? undefined : { eventAt: Number(row.event_at), row: Number(row.row) };
    },
    lookedUpTo: async (accountId, range) =>
      lastOfNewest(database, accountId, { ...range, forgottenTo: await forgotten.upTo(accountId) }),
    around: async (accountId, entries, count) =>
      readAround(database, accountId, entries, { count, forgottenTo: await forgotten.upTo(accountId) }),
    newestFirst: async (accountId, { phrase, ...asked }) => {
      const range = { ...asked, forgottenTo: await forgotten.upTo(accountId) };
      if (phrase !== undefined) return searchNewestFirst(database, accountId, { ...range, phrase });
      const { kinds } = range;
      if (kinds !== undefined) return readNewestFirst(database, ofKinds(database, accountId, { ...range, kinds }));
      return readNewestFirst(database, inRange(database('entries'), accountId, range).limit(range.limit));
    },
  };
}

const stateOf = ({ history_from: deletedTo, forget_to_row: upTo }: StateRow): HistoryState => ({
  deletedTo: deletedTo === null ? null : Number(deletedTo),
  isBeingDeleted: upTo !== null,
});
