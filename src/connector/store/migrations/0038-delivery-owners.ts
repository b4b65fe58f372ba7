import type { Knex } from 'knex';
import { countedHost } from '../../domain/counted-host.ts';
import type { Migration } from './migration.ts';

/** Which process has leased a delivery, and the host of each subscription as limits count it. */
export const deliveryOwners: Migration = {
  name: '0038-delivery-owners',
  up: async (database) => {
    await database.schema.alterTable('deliveries', (table) => {
      // Without a reference: the row of a process may be deleted before its leases end.
      table.text('leased_by');
    });
    await database.schema.alterTable('subscriptions', (table) => {
      table.text('counted_host').notNullable().defaultTo('');
    });
    await countHosts(database);
  },
};

async function countHosts(database: Knex): Promise<void> {
  const shown: string[] = await database('subscriptions').distinct('callback_host').pluck('callback_host');
  for (const host of shown) {
    // Callbacks of hosts that the owner allows may begin with http://, but neither scheme is part of the limit.
    await database('subscriptions')
      .where('callback_host', host)
      .update({ counted_host: countedHost(`https://${host}/`) });
  }
}
