import { secretHash } from '../../domain/ids.ts';
import { dialectOf } from '../dialect.ts';
import type { Migration } from './migration.ts';

const DAY_MS = 86_400_000;

/** Returns a day from now, by the database's clock. */
const IN_A_DAY = {
  sqlite: `CAST(strftime('%s', 'now') AS INTEGER) * 1000 + ${DAY_MS}`,
  postgres: `CAST(extract(epoch FROM now()) * 1000 AS bigint) + ${DAY_MS}`,
};

/**
 * Limits unused clients. Earlier versions kept each registered client forever. Now clients without a consent have a
 * day, like a new one. A consent that is still sealed in a grant counts when the program adopts it, at its start.
 */
export const unusedClients: Migration = {
  name: '0013-unused-clients',
  up: async (database) => {
    const clients = () => database('oauth_records').where('kind', 'Client');
    await clients()
      .whereNull('expires_at')
      .update({ expires_at: database.raw(IN_A_DAY[dialectOf(database)]) });
    const authorised: string[] = await database('consents').distinct('client_id').pluck('client_id');
    for (const clientId of authorised)
      await clients().where('id_hash', secretHash(clientId)).update({ expires_at: null });
  },
};
