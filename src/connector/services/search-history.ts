import { type Caller, enabledChannels } from '../domain/account.ts';
import { ANSWER_MAX_BYTES, fittingEntries } from '../domain/answer-size.ts';
import { foldText } from '../domain/fold.ts';
import { ConnectorError } from '../errors.ts';
import type { EntriesAround, PlacedEntry } from '../ports/history-store.ts';
import type { ServiceContext } from './context.ts';
import type { Question } from './page-token.ts';
import { type HistoryPage, pageOf } from './read-history.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface SearchRequest {
  phrase: string;
  /** Channel to search; every enabled one if undefined. */
  channel: string | undefined;
  limit: number;
  /** Number of lines on each side of every result. */
  around: number;
  pageToken: string | undefined;
}

export interface SearchResult extends PlacedEntry {
  /** The lines around the result; undefined if they were not requested. */
  around?: EntriesAround | undefined;
}

/** Largest part of an answer for the lines on one side of a result; ten usual lines take a third of it. */
const SIDE_MAX_BYTES = ANSWER_MAX_BYTES / 2;

/**
 * Finds entries of enabled channels whose text contains the phrase literally; case and formatting don't matter.
 * @throws ConnectorError channel_not_enabled, page_token_invalid, phrase_empty
 */
export async function searchHistory(
  context: ServiceContext,
  caller: Caller,
  { phrase, channel: written, limit, around, pageToken }: SearchRequest,
): Promise<HistoryPage<SearchResult>> {
  const account = await requireAccount(context, caller.accountId);
  const channel = written === undefined ? undefined : requireChannel(account, written);
  const folded = foldText(phrase);
  if (folded.trim() === '') throw new ConnectorError('phrase_empty', 'the phrase is empty: give the text to find');
  const question: Question = { accountId: caller.accountId, list: 'search', channel, phrase };
  const channels = channel === undefined ? enabledChannels(account) : [channel];
  const complete = async (entries: PlacedEntry[]): Promise<SearchResult[]> => {
    // The usual search copies no entry.
    if (around === 0) return entries;
    const found = await context.store.history.around(caller.accountId, entries, around);
    return entries.map((entry) => ({ ...entry, around: fittingAround(found.get(entry.row)) }));
  };
  return pageOf(context, question, { range: { channels, limit, phrase: folded }, token: pageToken, complete });
}

/**
 * Returns the lines nearest to the result, as far as they fit: a server may allow lines of a hundred times the usual
 * length.
 */
function fittingAround(around: EntriesAround | undefined): EntriesAround | undefined {
  if (around === undefined) return undefined;
  const { before, after } = around;
  return {
    before: fittingEntries(before.toReversed(), SIDE_MAX_BYTES).toReversed(),
    after: fittingEntries(after, SIDE_MAX_BYTES),
  };
}
