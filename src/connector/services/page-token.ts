import { foldText } from '../domain/fold.ts';
import { ConnectorError } from '../errors.ts';
import type { Place } from '../ports/history-store.ts';
import type { Seal } from '../ports/seal.ts';

/** The call that a page token belongs to; the token is useless for another person or another call. */
export interface Question {
  accountId: string;
  /** The list that is paged through. */
  list: 'search' | 'recent' | 'last_hour';
  channel: string | undefined;
  phrase?: string;
  /** Further filters of the list; undefined without any. */
  filters?: readonly unknown[] | undefined;
}

/** Makes a token for the entries after the place. It is encrypted, so only this service can make one. */
export function pageToken(seal: Seal, question: Question, { eventAt, row }: Place): string {
  return seal.close(JSON.stringify([eventAt, row]), bindingOf(question));
}

/** The place that a token was made for. @throws ConnectorError page_token_invalid */
export function placeOf(seal: Seal, question: Question, token: string): Place {
  try {
    const [eventAt, row] = JSON.parse(seal.open(token, bindingOf(question))) as [number, number];
    return { eventAt, row };
  } catch {
    // The answer is the same for every fault, and an invented token is not worth a log line.
    throw new ConnectorError(
      'page_token_invalid',
      'this page_token does not belong to this call: repeat the arguments of the call that returned it, or leave it out to begin again',
    );
  }
}

function bindingOf({ accountId, list, channel, phrase, filters = [] }: Question): string {
  const call = [accountId, list, channel ?? null, phrase === undefined ? null : foldText(phrase), ...filters];
  return `page/${JSON.stringify(call)}`;
}
