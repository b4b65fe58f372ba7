import type { Knex } from 'knex';
import { channelKey } from '../../domain/channel.ts';
import type { Migration } from './migration.ts';

interface Sync {
  account_id: string;
  network: string;
  channel_key: string;
  synced_to: number | string;
}

/**
 * Time up to which the lines of each channel were removed, so that no replay brings them back. Earlier versions did not
 * store it: for a channel that has lost entries it is the time of its oldest remaining entry, or now if no entry is
 * left.
 */
export const retentionBorders: Migration = {
  name: '0021-retention-borders',
  up: async (database) => {
    await database.schema.createTable('retention_borders', (table) => {
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('network').notNullable();
      table.text('channel_key').notNullable();
      table.bigInteger('removed_to').notNullable();
      table.primary(['account_id', 'network', 'channel_key']);
    });
    for (const sync of await database<Sync>('channel_syncs').select('*')) await noteBorder(database, sync);
  },
};

async function noteBorder(database: Knex, { synced_to: syncedTo, ...key }: Sync): Promise<void> {
  const shrunk: string[] = await database('channel_counts')
    .where('account_id', key.account_id)
    .where('gone', '>', 0)
    .pluck('channel');
  const channels = shrunk.filter((channel) => channelKey(channel) === key.channel_key);
  if (channels.length === 0) return;
  const oldest: { at: number | string | null } = await database('entries')
    .where('account_id', key.account_id)
    // The name is not filled in yet if a version before 0016 wrote it.
    .whereIn('network', key.network === '' ? database('entries').distinct('network') : [key.network])
    .whereIn('channel', channels)
    .where('timestamp_source', 'server')
    .first(database.raw('min(event_at) AS at'));
  const removedTo = oldest.at === null ? Number(syncedTo) : Math.min(Number(oldest.at) - 1, Number(syncedTo));
  await database('retention_borders').insert({ ...key, removed_to: removedTo });
}
