import type { Caller } from '../domain/account.ts';
import { fittingEntries } from '../domain/answer-size.ts';
import type { Entry, EntryKind } from '../domain/entry.ts';
import { CLOCKS_DIFFER_MS, LAST_HOUR_MS } from '../domain/limits.ts';
import { parseMoment } from '../domain/moment.ts';
import { ConnectorError } from '../errors.ts';
import type { HistoryRange, Place, PlacedEntry } from '../ports/history-store.ts';
import type { ServiceContext } from './context.ts';
import { pageToken, placeOf, type Question } from './page-token.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface HistoryRequest {
  channel: string;
  /** `last_hour` compares the IRC event time. */
  mode: 'recent' | 'last_hour';
  /** Start of the range: a time of ISO 8601, inclusive, or the id of an entry, exclusive. */
  since?: string | undefined;
  /** End of the range: a time or the id of an entry, both exclusive. */
  before?: string | undefined;
  /** Id of the entry with which the list begins; replaces `before`. */
  beginAt?: string | undefined;
  /** Kinds of entries; all if undefined. */
  kinds?: readonly EntryKind[] | undefined;
  limit: number;
  pageToken?: string | undefined;
}

export interface HistoryPage<E extends Entry = Entry> {
  /** Entries of the page, the newest first. */
  entries: E[];
  /** Token of the next page; null on the last one. */
  nextPageToken: string | null;
  /** Whether the page was cut to its largest size. */
  isTruncated: boolean;
}

/**
 * Returns the newest entries of an enabled channel; moves no cursor.
 * @throws ConnectorError channel_not_enabled, entry_unknown, page_token_invalid, since_invalid
 */
export async function readHistory(
  context: ServiceContext,
  caller: Caller,
  { channel: written, mode, since, before: asked, beginAt, kinds, limit, pageToken: token }: HistoryRequest,
): Promise<HistoryPage & { channel: string }> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, written);
  // A server's clock may be ahead; entries that it dates in the future are not of the last hour.
  const now = context.clock.now();
  const time = mode === 'last_hour' ? { since: now - LAST_HOUR_MS, until: now + CLOCKS_DIFFER_MS } : {};
  const before = beginAt ?? asked;
  const isNarrowed = [since, before, kinds].some((filter) => filter !== undefined);
  const filters = isNarrowed ? [since ?? null, before ?? null, kinds ?? null] : undefined;
  const question: Question = { accountId: caller.accountId, list: mode, channel, filters };
  const from = await placeNamed(context, question, since, token);
  // A later page begins at the place in its token.
  const to = token === undefined ? await placeNamed(context, question, before) : {};
  const range: HistoryRange = {
    ...{ channels: [channel], limit, ...time, kinds },
    ...{ since: Math.max(time.since ?? 0, from.at ?? 0) || undefined, after: from.entry },
    ...{ earlierThan: to.at, before: beginAt === undefined ? to.entry : behind(to.entry) },
  };
  return { channel, ...(await historyPage(context, question, range, token)) };
}

/** The place just behind an entry: the range before it includes the entry. */
const behind = (entry: Place | undefined): Place | undefined => entry && { ...entry, row: entry.row + 1 };

interface NamedPlace {
  at?: number;
  entry?: Place;
}

/** @throws ConnectorError entry_unknown, since_invalid */
async function placeNamed(
  { store }: ServiceContext,
  { accountId, channel = '' }: Question,
  written: string | undefined,
  token?: string,
): Promise<NamedPlace> {
  if (written === undefined) return {};
  const moment = parseMoment(written);
  if (moment === undefined) {
    throw new ConnectorError(
      'since_invalid',
      'since and before are a time of ISO 8601, such as 2026-01-31T08:00:00Z, or the entryId of an entry of the channel',
    );
  }
  if ('at' in moment) return moment;
  const entry = await store.history.placeOf(accountId, moment.entryId, [channel]);
  if (entry !== undefined) return { entry };
  // The entry existed at the first page: retention has removed it since, and all earlier ones with it.
  if (token !== undefined) return {};
  throw new ConnectorError(
    'entry_unknown',
    `there is no such entry in ${channel}: take an entryId that read_history or search_history gave for this channel, or a time`,
  );
}

/** One page of entries, with the token of the next one if there are more. */
export const historyPage = (
  context: ServiceContext,
  question: Question,
  range: HistoryRange,
  token: string | undefined,
): Promise<HistoryPage> => pageOf(context, question, { range, token, complete: async (entries) => entries });

/** @param complete adds related data to each entry, which counts for the size of the page */
export async function pageOf<E extends PlacedEntry>(
  { store, seal }: ServiceContext,
  question: Question,
  {
    range,
    token,
    complete,
  }: { range: HistoryRange; token: string | undefined; complete: (entries: PlacedEntry[]) => Promise<E[]> },
): Promise<HistoryPage<E>> {
  const before = token === undefined ? range.before : placeOf(seal, question, token);
  const asked = { ...range, before, limit: range.limit + 1 };
  const found = await store.history.newestFirst(question.accountId, asked);
  const wanted = await complete(found.slice(0, range.limit));
  const entries = fittingEntries(wanted);
  const last = entries.length < found.length ? entries.at(-1) : await lastLookedAt(store, question, asked);
  return {
    entries,
    nextPageToken: last === undefined ? null : pageToken(seal, question, last),
    isTruncated: entries.length < wanted.length,
  };
}

/** The last entry that was looked at. A page of some kinds may be short or empty although earlier entries match. */
const lastLookedAt = async (
  { history }: ServiceContext['store'],
  { accountId }: Question,
  range: HistoryRange,
): Promise<Place | undefined> => (range.kinds === undefined ? undefined : history.lookedUpTo(accountId, range));
