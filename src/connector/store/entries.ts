import type { CaptureGap, Entry, EntryKind, GapReason, TimestampSource } from '../domain/entry.ts';
import type { EntryStore } from '../ports/history-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import type { Forgotten } from './forgotten.ts';

export interface EntryRow {
  entry_id: string;
  network: string;
  channel: string;
  kind: EntryKind;
  sender: string;
  text: string;
  target: string | null;
  event_at: number;
  observed_at: number;
  timestamp_source: TimestampSource;
  message_id: string | null;
  gap_from: number | null;
  gap_to: number | null;
  gap_reason: GapReason | null;
}

/** The columns of an entry; the table has more, and each column takes time to transfer. */
export const ENTRY_COLUMNS = [
  'entries.entry_id',
  'entries.network',
  'entries.channel',
  'entries.kind',
  'entries.sender',
  'entries.text',
  'entries.target',
  'entries.event_at',
  'entries.observed_at',
  'entries.timestamp_source',
  'entries.message_id',
  'entries.gap_from',
  'entries.gap_to',
  'entries.gap_reason',
] as const satisfies readonly `entries.${keyof EntryRow}`[];

/** @param readers see `OpenDatabase` */
export function createEntryStore(readers: Database, invalidations: Invalidations, forgotten: Forgotten): EntryStore {
  // Each call for account information reads it. Strict, because a person may just have deleted it.
  const cache = new Cache<{ newest: Entry | undefined }, 'entries'>(invalidations, ['entries'], { isStrict: true });
  return {
    newestReceived: async (accountId, channels) => {
      const found = await cache.read(JSON.stringify([accountId, ...channels]), { entries: accountId }, async () => ({
        newest: await newestReceived(readers, accountId, { channels, after: await forgotten.upTo(accountId) }),
      }));
      return found?.newest;
    },
    newestOfAll: async (limit) => {
      const rows: (EntryRow & { account_id: string })[] = await readers('entries')
        .where('row', '>', forgottenOf(readers))
        .orderBy('row', 'desc')
        .limit(limit)
        .select('account_id', ...ENTRY_COLUMNS);
      return rows.map((row) => ({ ...entryOf(row), accountId: row.account_id }));
    },
  };
}

/** Selects the last deleted row of an entry's account: see `Forgotten`. */
const forgottenOf = (database: Database) =>
  database('accounts')
    .whereRaw('accounts.account_id = entries.account_id')
    .select(database.raw('coalesce(accounts.forget_to_row, 0)'));

async function newestReceived(
  database: Database,
  accountId: string,
  { channels, after }: { channels: readonly string[]; after: number },
): Promise<Entry | undefined> {
  const newest = database('channel_counts')
    .where('account_id', accountId)
    .whereIn('channel', [...channels])
    .max('received_row');
  const row: EntryRow | undefined = await database('entries')
    .where('row', newest)
    .where('row', '>', after)
    .first(...ENTRY_COLUMNS);
  return row === undefined ? undefined : entryOf(row);
}

export function entryOf(row: EntryRow): Entry {
  return {
    entryId: row.entry_id,
    network: row.network,
    channel: row.channel,
    kind: row.kind,
    sender: row.sender,
    text: row.text,
    target: row.target,
    eventAt: Number(row.event_at),
    observedAt: Number(row.observed_at),
    timestampSource: row.timestamp_source,
    messageId: row.message_id,
    gap: gapOf(row),
  };
}

function gapOf({ gap_from: from, gap_to: to, gap_reason: reason }: EntryRow): CaptureGap | null {
  return reason === null ? null : { from: Number(from), to: Number(to), reason };
}
