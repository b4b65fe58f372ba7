import type { Database } from './database.ts';

/** Row among the totals, because a restored database may be of a version that had no other place for it. */
const RESTORED_AT = 'restored at';

/** Records that a backup has been restored. @param at milliseconds since 1970 */
export async function noteRestore(database: Database, at: number): Promise<void> {
  await database('totals').insert({ name: RESTORED_AT, value: at }).onConflict('name').merge();
}

/**
 * Returns when a backup was restored, milliseconds since 1970; 0 if never. The bouncer then repeats the lines between
 * the backup and its restore.
 */
export async function restoredAt(database: Database): Promise<number> {
  const found: { value: number | string } | undefined = await database('totals')
    .where('name', RESTORED_AT)
    .first('value');
  return Number(found?.value ?? 0);
}
