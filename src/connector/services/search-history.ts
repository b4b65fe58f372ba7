import { type Caller, enabledChannels } from '../domain/account.ts';
import { foldText } from '../domain/fold.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import type { Question } from './page-token.ts';
import { type HistoryPage, historyPage } from './read-history.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface SearchRequest {
  phrase: string;
  /** Undefined searches every enabled channel. */
  channel: string | undefined;
  limit: number;
  pageToken: string | undefined;
}

/**
 * Entries of enabled channels whose text has the phrase literally; case and formatting don't matter.
 * @throws ConnectorError channel_not_enabled, page_token_invalid, phrase_empty
 */
export async function searchHistory(
  context: ServiceContext,
  caller: Caller,
  { phrase, channel: written, limit, pageToken }: SearchRequest,
): Promise<HistoryPage> {
  const account = await requireAccount(context, caller.accountId);
  const channel = written === undefined ? undefined : requireChannel(account, written);
  const folded = foldText(phrase);
  if (folded.trim() === '') throw new ConnectorError('phrase_empty', 'the phrase is empty: give the text to find');
  const question: Question = { accountId: caller.accountId, list: 'search', channel, phrase };
  const channels = channel === undefined ? enabledChannels(account) : [channel];
  return historyPage(context, question, { channels, limit, phrase: folded }, pageToken);
}
