import type { Clock } from '../../kernel/clock.ts';
import type { CapturedLine, Entry, EntryKind, TimestampSource } from '../domain/entry.ts';
import { foldText } from '../domain/fold.ts';
import { newId } from '../domain/ids.ts';
import type { EntryStore } from '../ports.ts';
import type { Database } from './database.ts';

/** Equal lines without a message id that one millisecond may hold before they count as one. */
const SAME_MILLISECOND_MAX = 1_000;

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
}

export function createEntryStore(database: Database, clock: Clock): EntryStore {
  const entries = () => database('entries');
  return {
    insert: async (accountId, network, line) => {
      const observedAt = clock.now();
      const fingerprint = await fingerprintOf(database, accountId, line);
      const [row]: EntryRow[] = await entries()
        .insert({
          entry_id: newId('ent'),
          account_id: accountId,
          fingerprint,
          network,
          channel: line.channel,
          kind: line.kind,
          sender: line.sender,
          text: line.text,
          text_folded: foldText(line.text),
          target: line.target,
          event_at: line.serverAt ?? observedAt,
          observed_at: observedAt,
          timestamp_source: line.serverAt === undefined ? 'observed' : 'server',
        })
        .onConflict(['account_id', 'fingerprint'])
        .ignore()
        .returning('*');
      return row === undefined ? undefined : entryOf(row);
    },
    newest: async (accountId, channels) => {
      const row: EntryRow | undefined = await entries()
        .where('account_id', accountId)
        .whereIn('channel', [...channels])
        .orderBy('row', 'desc')
        .first();
      return row === undefined ? undefined : entryOf(row);
    },
  };
}

/** Live lines without a message id are numbered by what is stored already; see domain/fingerprint.ts. */
export async function fingerprintOf(database: Database, accountId: string, line: CapturedLine): Promise<string> {
  if (line.isExact) return `${line.fingerprintBase}#0`;
  const stored: { fingerprint: string }[] = await database('entries')
    .where('account_id', accountId)
    .whereBetween('fingerprint', [`${line.fingerprintBase}#`, `${line.fingerprintBase}#~`])
    .select('fingerprint')
    .limit(SAME_MILLISECOND_MAX);
  return `${line.fingerprintBase}#${stored.length}`;
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
  };
}
