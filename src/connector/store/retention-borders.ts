import { channelKey } from '../domain/channel.ts';
import type { TimestampSource } from '../domain/entry.ts';
import type { Database } from './database.ts';
import { groupsOf } from './rows-at-once.ts';

interface BorderRow {
  account_id: string;
  network: string;
  channel_key: string;
  removed_to: number | string;
}

/** Entry that is removed. */
export interface Removed {
  network: string;
  channel: string;
  event_at: number | string;
  timestamp_source: TimestampSource;
}

/**
 * Records up to which time lines of each channel are removed, in the transaction that removes them. Their fingerprints
 * are removed, too, so that only their time keeps a replay from bringing them back.
 */
export async function moveBorders(database: Database, accountId: string, removed: readonly Removed[]): Promise<void> {
  const borders = new Map<string, BorderRow>();
  for (const { network, channel, event_at: at, timestamp_source: source } of removed) {
    // The bouncer never replays entries that this program made itself.
    if (source === 'local') continue;
    const key = { account_id: accountId, network, channel_key: channelKey(channel) };
    const name = JSON.stringify([network, key.channel_key]);
    borders.set(name, { ...key, removed_to: Math.max(Number(at), Number(borders.get(name)?.removed_to ?? 0)) });
  }
  for (const group of groupsOf([...borders.values()])) {
    await database<BorderRow>('retention_borders')
      .insert(group)
      .onConflict(['account_id', 'network', 'channel_key'])
      .merge({
        removed_to: database.raw(
          'CASE WHEN excluded.removed_to > retention_borders.removed_to THEN excluded.removed_to ELSE retention_borders.removed_to END',
        ),
      });
  }
}

/** Channel → time, by the server's clock, up to which its lines were removed; undefined if no lines were. */
export type BorderOf = (channel: string) => number | undefined;

/** Returns the borders of a network's channels: what retention has removed there, and the person's last deletion. */
export async function readBorders(
  database: Database,
  { accountId, network }: { accountId: string; network: string },
  channels: readonly string[],
): Promise<BorderOf> {
  const rows: BorderRow[] = await database<BorderRow>('retention_borders')
    .where({ account_id: accountId, network })
    .whereIn('channel_key', channels.map(channelKey));
  const account: { history_from: number | string | null } | undefined = await database('accounts')
    .where('account_id', accountId)
    .first('history_from');
  const deletedTo = account?.history_from ?? undefined;
  const byKey = new Map(rows.map((row) => [row.channel_key, Number(row.removed_to)]));
  return (channel) => {
    const known = [byKey.get(channelKey(channel)), deletedTo === undefined ? undefined : Number(deletedTo)];
    const borders = known.filter((border) => border !== undefined);
    return borders.length === 0 ? undefined : Math.max(...borders);
  };
}
