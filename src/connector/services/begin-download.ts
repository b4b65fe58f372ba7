import type { Clock } from '../../kernel/clock.ts';
import { DOWNLOAD_RENEW_MS } from '../domain/limits.ts';
import { downloadsExhausted, historyBusy } from '../errors.ts';
import type { DownloadStore } from '../ports/download-store.ts';

/** A download that counts for its reader, and for all. */
export interface Download {
  /** Call it before each part. @throws RetryLater history_busy if the download counts no more */
  goOn(): Promise<void>;
  /** Ends it. A failure is left to the end of its time: the person has the file. */
  end(): Promise<void>;
}

/**
 * Begins a download. The limits hold for all processes together.
 * @throws RetryLater history_busy, downloads_exhausted
 */
export async function beginDownload(
  { downloads, clock }: { downloads: DownloadStore; clock: Pick<Clock, 'monotonic'> },
  readerId: string,
  accountId: string,
): Promise<Download> {
  let renewedAt = clock.monotonic();
  const begun = await downloads.begin(readerId, accountId);
  if (begun === 'reading') throw historyBusy('you are downloading a history at this moment, and one is enough');
  if (begun === 'exhausted') throw downloadsExhausted();
  const { downloadId } = begun;
  return {
    goOn: async () => {
      const now = clock.monotonic();
      if (now - renewedAt < DOWNLOAD_RENEW_MS) return;
      if (!(await downloads.renew(downloadId))) throw historyBusy('this download has stood still for minutes');
      renewedAt = now;
    },
    // Its place ends by itself, minutes later.
    end: () => downloads.end(downloadId).catch(() => undefined),
  };
}
