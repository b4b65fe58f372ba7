import type { Knex } from 'knex';
import { DOWNLOAD_LEASE_MS, DOWNLOADS_AT_ONCE } from '../domain/limits.ts';
import type { DownloadStore } from '../ports/download-store.ts';
import { newId } from '../random.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { databaseClock } from './hold/database-clock.ts';

interface DownloadRow {
  download_id: string;
  reader_id: string;
  account_id: string;
  process_id: string;
  lasts_until: number | string | Knex.Raw;
}

/** Lock of the transactions that begin downloads: only one of them counts at a time. */
const LOCK = 'downloads';

/** @param processId id of this process in `processes`; undefined if only one can use the database */
export function createDownloadStore(database: Database, processId: string | undefined): DownloadStore {
  const ownId = processId ?? newId('run');
  const lasts = (): Knex.Raw => database.raw(`${databaseClock(database)} + ?`, [DOWNLOAD_LEASE_MS]);
  const downloads = (from: Knex = database) => from<DownloadRow>('downloads');
  /** Selects those that still count. */
  const underWay = (from: Knex = database) => {
    const lasting = downloads(from).whereRaw(`lasts_until > ${databaseClock(from)}`);
    // Downloads of earlier runs ended with them.
    if (processId === undefined) return lasting.where('process_id', ownId);
    return lasting.whereExists(
      from('processes').whereRaw('processes.process_id = downloads.process_id').select('name'),
    );
  };
  return {
    begin: (readerId, accountId) =>
      database.transaction(async (transaction) => {
        await lock(transaction, LOCK);
        const present = await underWay(transaction).select('download_id', 'reader_id');
        if (present.some(({ reader_id: other }) => other === readerId)) return 'reading';
        if (present.length >= DOWNLOADS_AT_ONCE) return 'exhausted';
        const ids = present.map(({ download_id: id }) => id);
        await downloads(transaction).whereNotIn('download_id', ids).delete();
        const downloadId = newId('dow');
        await downloads(transaction).insert({
          ...{ download_id: downloadId, reader_id: readerId, account_id: accountId, process_id: ownId },
          lasts_until: lasts(),
        });
        return { downloadId };
      }),
    renew: async (downloadId) =>
      (await underWay().where('download_id', downloadId).update({ lasts_until: lasts() })) > 0,
    end: async (downloadId) => void (await downloads().where('download_id', downloadId).delete()),
    readersOf: (accountId) => underWay().where('account_id', accountId).pluck('reader_id'),
  };
}
