import { foldText } from '../domain/fold.ts';
import { ConnectorError } from '../errors.ts';
import type { Place } from '../ports/history.ts';
import type { Seal } from '../ports/seal.ts';

/** What a page token belongs to: it opens nothing for another person or another question. */
export interface Question {
  accountId: string;
  /** Which list is being paged through. */
  list: 'search' | 'recent' | 'last_hour';
  channel: string | undefined;
  phrase?: string;
}

/** A token for what comes after the place; it shows nothing and can't be made elsewhere. */
export function pageToken(seal: Seal, question: Question, { eventAt, row }: Place): string {
  return seal.close(JSON.stringify([eventAt, row]), bindingOf(question));
}

/** The place a token was made for. @throws ConnectorError page_token_invalid */
export function placeOf(seal: Seal, question: Question, token: string): Place {
  try {
    const [eventAt, row] = JSON.parse(seal.open(token, bindingOf(question))) as [number, number];
    return { eventAt, row };
  } catch {
    // Whatever is wrong with it, the answer is the same, and a made-up token is not worth a line in the log.
    throw new ConnectorError(
      'page_token_invalid',
      'this page_token does not belong to this call: repeat the arguments of the call that returned it, or leave it out to begin again',
    );
  }
}

const bindingOf = ({ accountId, list, channel, phrase }: Question): string =>
  `page/${JSON.stringify([accountId, list, channel ?? null, phrase === undefined ? null : foldText(phrase)])}`;
