import type { Caller } from '../domain/account.ts';
import { fittingEntries } from '../domain/answer-size.ts';
import type { Entry } from '../domain/entry.ts';
import { CLOCKS_DIFFER_MS, LAST_HOUR_MS } from '../domain/limits.ts';
import type { HistoryRange } from '../ports/history.ts';
import type { ServiceContext } from './context.ts';
import { pageToken, placeOf, type Question } from './page-token.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface HistoryRequest {
  channel: string;
  /** `last_hour` goes by the IRC event time. */
  mode: 'recent' | 'last_hour';
  limit: number;
  pageToken?: string | undefined;
}

export interface HistoryPage {
  /** Newest first. */
  entries: Entry[];
  /** Opens the next page; null on the last one. */
  nextPageToken: string | null;
  /** Whether the page is shorter than asked for because of its size. */
  isTruncated: boolean;
}

/** The newest entries of an enabled channel; moves no cursor. @throws ConnectorError channel_not_enabled, page_token_invalid */
export async function readHistory(
  context: ServiceContext,
  caller: Caller,
  { channel: written, mode, limit, pageToken: token }: HistoryRequest,
): Promise<HistoryPage & { channel: string }> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, written);
  // A server's clock may be ahead; what it dates in the future is not of the last hour.
  const now = context.clock.now();
  const time = mode === 'last_hour' ? { since: now - LAST_HOUR_MS, until: now + CLOCKS_DIFFER_MS } : {};
  const question: Question = { accountId: caller.accountId, list: mode, channel };
  return { channel, ...(await historyPage(context, question, { channels: [channel], limit, ...time }, token)) };
}

/** One page of entries, with the token of the next where there are more. */
export async function historyPage(
  { store, seal }: ServiceContext,
  question: Question,
  range: HistoryRange,
  token: string | undefined,
): Promise<HistoryPage> {
  const before = token === undefined ? undefined : placeOf(seal, question, token);
  const found = await store.history.newestFirst(question.accountId, { ...range, before, limit: range.limit + 1 });
  const wanted = found.slice(0, range.limit);
  const entries = fittingEntries(wanted);
  const last = entries.at(-1);
  return {
    entries,
    nextPageToken: last === undefined || entries.length === found.length ? null : pageToken(seal, question, last),
    isTruncated: entries.length < wanted.length,
  };
}
