import { pageForPerson } from '../define-page.ts';
import type { Download } from '../download.ts';

/** Newline-delimited JSON: one entry a line. */
export const historyFile = (parts: AsyncIterable<string>, fileName: string): Download => ({
  fileName,
  type: 'application/x-ndjson; charset=utf-8',
  parts,
});

/** Lets a person download their own history. */
export const historyDownload = pageForPerson({
  path: '/settings/history.jsonl',
  show: ({ deps, person: { accountId } }) => ({
    download: historyFile(deps.services.exportHistory({ accountId, readerId: accountId }), 'homeport-history.jsonl'),
  }),
});
