import type { Grant } from '../domain/channel.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { groupsOf } from './rows-at-once.ts';

interface ChannelRow {
  account_id: string;
  channel: string;
}

/** Returns the channels granted to these accounts, with their selection. */
export async function grantsOf(database: Database, accountIds: readonly string[]): Promise<Map<string, Grant[]>> {
  const rows: (ChannelRow & { selected: string | null })[] = await database<ChannelRow>('grants')
    .leftJoin('selections', (join) =>
      join.on('selections.account_id', 'grants.account_id').andOn('selections.channel', 'grants.channel'),
    )
    .whereIn('grants.account_id', [...accountIds])
    .select('grants.account_id', 'grants.channel', 'selections.channel as selected');
  const grants = new Map(accountIds.map((accountId): [string, Grant[]] => [accountId, []]));
  for (const { account_id, channel, selected } of rows) {
    grants.get(account_id)?.push({ channel, enabled: selected !== null });
  }
  return grants;
}

/** Locks one account's grants and selections, so that each change sees the one before. */
export const grantsLock = (database: Database, accountId: string): Promise<void> =>
  lock(database, `grants of ${accountId}`);

/** Revokes all channels except these, with their selections. */
export async function revokeOthers(database: Database, accountId: string, channels: readonly string[]): Promise<void> {
  await database<ChannelRow>('grants')
    .where('account_id', accountId)
    .whereNotIn('channel', [...channels])
    .delete();
}

/** Adds grants for these channels; a new one starts unselected. */
export async function grant(database: Database, accountId: string, channels: readonly string[]): Promise<void> {
  const rows = channels.map((channel) => ({ account_id: accountId, channel }));
  for (const group of groupsOf(rows)) {
    await database<ChannelRow>('grants').insert(group).onConflict(['account_id', 'channel']).ignore();
  }
}

/** Selects exactly these of the granted channels. */
export async function select(database: Database, accountId: string, channels: readonly string[]): Promise<void> {
  await database<ChannelRow>('selections')
    .where('account_id', accountId)
    .whereNotIn('channel', [...channels])
    .delete();
  const granted = await database<ChannelRow>('grants')
    .where('account_id', accountId)
    .whereIn('channel', [...channels])
    .select('account_id', 'channel');
  for (const group of groupsOf(granted)) {
    await database<ChannelRow>('selections').insert(group).onConflict(['account_id', 'channel']).ignore();
  }
}
