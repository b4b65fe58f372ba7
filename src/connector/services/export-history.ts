import { ConnectorError, historyBusy } from '../errors.ts';
import { wireEntry } from '../wire/entry-output.ts';
import { beginDownload } from './begin-download.ts';
import type { ServiceContext } from './context.ts';

/** Entries read at once, which bounds the memory for a history of any size. */
const STEP_ENTRIES = 500;

export interface ExportRequest {
  accountId: string;
  /** The account that downloads: the history's person, or an owner. */
  readerId: string;
}

/**
 * Yields everything that is stored for the account as JSON Lines, one entry a line, in pieces of whole lines: channel
 * by channel, also those that are not granted any more, each in the order of arrival. Entries that arrive meanwhile are
 * included.
 * @throws ConnectorError account_unknown, history_busy, downloads_exhausted; history_busy also later, when the rest is
 * deleted
 */
export async function* exportHistory(
  { store, clock }: ServiceContext,
  { accountId, readerId }: ExportRequest,
): AsyncGenerator<string, void> {
  const { history, downloads } = store;
  const download = await beginDownload({ downloads, clock }, readerId, accountId);
  try {
    const begun = await history.state(accountId);
    if (begun === undefined) throw new ConnectorError('account_unknown', 'this person has no account any more');
    if (begun.isBeingDeleted) throw historyBusy('this history is being deleted at this moment');
    /** Refuses a reading during which entries were deleted: their absence would look like the end of the history. */
    const whole = async <T>(reading: Promise<T>): Promise<T> => {
      const read = await reading;
      const now = await history.state(accountId);
      if (now?.isBeingDeleted !== false || now.deletedTo !== begun.deletedTo) {
        throw historyBusy('this history was deleted while it was downloaded');
      }
      return read;
    };
    for (const channel of await whole(history.channels(accountId))) {
      let after = 0;
      for (;;) {
        await download.goOn();
        const entries = await whole(history.byArrival(accountId, channel, { after, limit: STEP_ENTRIES }));
        const last = entries.at(-1);
        if (last === undefined) break;
        yield entries.map((entry) => `${JSON.stringify(wireEntry(entry))}\n`).join('');
        after = last.row;
      }
    }
  } finally {
    await download.end();
  }
}
