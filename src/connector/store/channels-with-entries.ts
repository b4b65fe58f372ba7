import type { Database } from './database.ts';

/** Returns the channels that have entries, each found by one index lookup: no entry is read. */
export async function channelsWithEntries(database: Database, accountId: string): Promise<string[]> {
  const first = database('entries').where('account_id', accountId).min('channel');
  const next = database('entries')
    .where('account_id', accountId)
    .whereRaw('entries.channel > found.channel')
    .min('channel');
  const rows: { channel: string }[] = await database
    .withRecursive('found', ['channel'], (found) =>
      found
        .from(first.as('first'))
        .select('*')
        .unionAll(database.from('found').whereNotNull('channel').select(next.as('channel'))),
    )
    .from('found')
    .whereNotNull('channel')
    .select('channel');
  return rows.map(({ channel }) => channel);
}
