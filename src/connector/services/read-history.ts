import type { Caller } from '../domain/account.ts';
import { fittingEntries } from '../domain/answer-size.ts';
import type { Entry, EntryKind } from '../domain/entry.ts';
import { CLOCKS_DIFFER_MS, LAST_HOUR_MS } from '../domain/limits.ts';
import { parseMoment } from '../domain/moment.ts';
import { ConnectorError } from '../errors.ts';
import type { HistoryRange, Place, PlacedEntry } from '../ports/history.ts';
import type { ServiceContext } from './context.ts';
import { pageToken, placeOf, type Question } from './page-token.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface HistoryRequest {
  channel: string;
  /** `last_hour` goes by the IRC event time. */
  mode: 'recent' | 'last_hour';
  /** From when on: a time of ISO 8601, itself included, or the id of an entry, which is left out. */
  since?: string | undefined;
  /** Up to when; the time or the entry itself is left out. */
  before?: string | undefined;
  /** Undefined means all. */
  kinds?: readonly EntryKind[] | undefined;
  limit: number;
  pageToken?: string | undefined;
}

export interface HistoryPage<E extends Entry = Entry> {
  /** Newest first. */
  entries: E[];
  /** Opens the next page; null on the last one. */
  nextPageToken: string | null;
  /** Whether the page is shorter than asked for because of its size. */
  isTruncated: boolean;
}

/**
 * The newest entries of an enabled channel; moves no cursor.
 * @throws ConnectorError channel_not_enabled, entry_unknown, page_token_invalid, since_invalid
 */
export async function readHistory(
  context: ServiceContext,
  caller: Caller,
  { channel: written, mode, since, before, kinds, limit, pageToken: token }: HistoryRequest,
): Promise<HistoryPage & { channel: string }> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, written);
  // A server's clock may be ahead; what it dates in the future is not of the last hour.
  const now = context.clock.now();
  const time = mode === 'last_hour' ? { since: now - LAST_HOUR_MS, until: now + CLOCKS_DIFFER_MS } : {};
  const isNarrowed = [since, before, kinds].some((filter) => filter !== undefined);
  const filters = isNarrowed ? [since ?? null, before ?? null, kinds ?? null] : undefined;
  const question: Question = { accountId: caller.accountId, list: mode, channel, filters };
  const from = await placeNamed(context, question, since, token);
  // A later page begins where its token says.
  const to = token === undefined ? await placeNamed(context, question, before) : {};
  const range: HistoryRange = {
    ...{ channels: [channel], limit, ...time, kinds },
    ...{ since: Math.max(time.since ?? 0, from.at ?? 0) || undefined, after: from.entry },
    ...{ earlierThan: to.at, before: to.entry },
  };
  return { channel, ...(await historyPage(context, question, range, token)) };
}

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
  // It was there at the first page: retention has removed it since, and with it what was earlier.
  if (token !== undefined) return {};
  throw new ConnectorError(
    'entry_unknown',
    `there is no such entry in ${channel}: take an entryId that read_history or search_history gave for this channel, or a time`,
  );
}

/** One page of entries, with the token of the next where there are more. */
export const historyPage = (
  context: ServiceContext,
  question: Question,
  range: HistoryRange,
  token: string | undefined,
): Promise<HistoryPage> => pageOf(context, question, { range, token, complete: async (entries) => entries });

/** @param complete adds to the entries what belongs to each of them; it counts for the size of the page */
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

/** A page of some kinds may have fewer than were asked for, or none, and earlier ones still be there. */
const lastLookedAt = async (
  { history }: ServiceContext['store'],
  { accountId }: Question,
  range: HistoryRange,
): Promise<Place | undefined> => (range.kinds === undefined ? undefined : history.lookedUpTo(accountId, range));
