import type { Database } from './database.ts';

interface PrunedRow {
  account_id: string;
  channel: string;
  pruned_row: number | string;
}

/** Records how far retention has gone in a channel, so that a session behind that point learns about the loss. */
export async function markPruned(database: Database, accountId: string, channel: string, row: number): Promise<void> {
  await database<PrunedRow>('pruned_channels')
    .insert({ account_id: accountId, channel, pruned_row: row })
    .onConflict(['account_id', 'channel'])
    .merge({ pruned_row: row })
    .where('pruned_channels.pruned_row', '<', row);
}

/** The newest entry of the channel that retention has removed; 0 for none. */
export async function prunedRowOf(database: Database, accountId: string, channel: string): Promise<number> {
  const pruned = await database<PrunedRow>('pruned_channels').where({ account_id: accountId, channel }).first();
  return Number(pruned?.pruned_row ?? 0);
}
