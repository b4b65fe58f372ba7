import { channelKey } from '../domain/channel.ts';
import type { CapturedLine, CaptureGap, EntryKind } from '../domain/entry.ts';
import { eventTime } from '../domain/event-time.ts';
import type { PlacedEntry } from '../ports/history-store.ts';
import { newId } from '../random.ts';
import type { Database } from './database.ts';
import { type PlacedRow, placedEntryOf } from './history-range.ts';
import { namesOfNetwork } from './known-networks.ts';

/** Newest entry of a channel before the account joined it. */
interface Before {
  network: string;
  kind: EntryKind;
  sender: string;
  target: string | null;
  event_at: number;
}

/**
 * Stores a gap when the account joins a channel that it has history of: lines may be missing since its newest entry.
 * Only the time of the last line, and the time of a loss of the network, are certain. Returns the new entry.
 */
export async function gapBeforeJoin(
  database: Database,
  { accountId, network, now }: { accountId: string; network: string; now: number },
  join: CapturedLine,
): Promise<PlacedEntry[]> {
  const to = eventTime(join.serverAt, now) ?? now;
  const before: Before | undefined = await database('entries')
    .where({ account_id: accountId, channel: join.channel })
    .whereNot('timestamp_source', 'local')
    .where('event_at', '<=', to)
    .orderBy([
      { column: 'event_at', order: 'desc' },
      { column: 'row', order: 'desc' },
    ])
    .first('network', 'kind', 'sender', 'target', 'event_at');
  if (before === undefined) return [];
  const isElsewhere = before.network !== network && !(await namesOfNetwork(database, network)).includes(before.network);
  const hasLeft =
    (before.kind === 'part' && before.sender === join.sender) ||
    (before.kind === 'kick' && before.target === join.sender);
  const account: { last_disconnected_at: number | null } | undefined = await database('accounts')
    .where('account_id', accountId)
    .first('last_disconnected_at');
  const lostAt = Number(account?.last_disconnected_at ?? 0);
  const isLoss = !isElsewhere && !hasLeft && lostAt <= to;
  const from = Math.max(Number(before.event_at), isLoss ? lostAt : 0);
  const gap = { from, to, reason: isElsewhere ? 'network_changed' : hasLeft ? 'not_joined' : 'disconnected' } as const;
  return insertGap(database, { accountId, network, channel: join.channel, gap, now });
}

interface NewGap {
  accountId: string;
  network: string;
  channel: string;
  gap: CaptureGap;
  now: number;
}

/** Stores a gap once and returns the new entry, if any. The entry's time is the end of the gap. */
export async function insertGap(
  database: Database,
  { accountId, network, channel, gap, now }: NewGap,
): Promise<PlacedEntry[]> {
  const inserted: PlacedRow[] = await database('entries')
    .insert({
      entry_id: newId('ent'),
      account_id: accountId,
      fingerprint: `gap:${channelKey(channel)}:${gap.reason}:${gap.to}`,
      network,
      channel,
      kind: 'gap',
      sender: '',
      text: '',
      event_at: gap.to,
      observed_at: now,
      timestamp_source: 'local',
      gap_from: gap.from,
      gap_to: gap.to,
      gap_reason: gap.reason,
    })
    .onConflict(['account_id', 'fingerprint'])
    .ignore()
    .returning('*');
  return inserted.map(placedEntryOf);
}
