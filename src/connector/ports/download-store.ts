/** A download that has begun. */
export interface BegunDownload {
  downloadId: string;
}

/** Downloads of histories that are under way, in all processes. */
export interface DownloadStore {
  /**
   * Begins a download. It counts for three minutes, which `renew` extends, or until its process ends.
   * @returns the reason if it must not begin: its reader has one already, or there are as many as may be
   */
  begin(readerId: string, accountId: string): Promise<BegunDownload | 'reading' | 'exhausted'>;
  /** Extends a download; false if it counts no more, because its process stood still for minutes. */
  renew(downloadId: string): Promise<boolean>;
  end(downloadId: string): Promise<void>;
  /** Returns the accounts that are downloading the history of this one. */
  readersOf(accountId: string): Promise<string[]>;
}
