import { createHash } from 'node:crypto';
import type { Caller } from './account.ts';
import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';
import type { Entry, EntryKind } from './entry.ts';
import { mentionsNick } from './mention.ts';
import { canonicalFilters, type MentionFilters } from './mention-filters.ts';

/** The only kind of event. @spec connector#events */
export const MENTION_EVENT = 'message.mention';

/** What people say. A kick or a topic may name somebody, too, but nobody says it. */
export const MENTION_KINDS = ['message', 'action'] as const satisfies readonly EntryKind[];

/** Hexadecimal digits of a derived id: 128 bits. */
const ID_DIGITS = 32;

/** A body may have 256 KiB. No line of IRC is this long; if one were, six bytes for each of its characters would still fit. */
const TEXT_MAX_CODE_UNITS = 32_768;

/** Whether an entry may be a mention of the account at all: somebody has said it, and not through this program. */
export const isSaid = ({ kind, messageId }: Pick<Entry, 'kind' | 'messageId'>): boolean =>
  messageId === null && MENTION_KINDS.some((said) => said === kind);

/** @param nick the one in use. @spec connector#events match, own messages */
export const mentionsAnother = (
  { sender, text }: Pick<Entry, 'sender' | 'text'>,
  nick: string,
  casemapping: Casemapping = USUAL_CASEMAPPING,
): boolean => fold(sender, casemapping) !== fold(nick, casemapping) && mentionsNick(text, nick, casemapping);

/** What makes two subscriptions the same. */
export interface SubscriptionKey extends Caller {
  url: string;
  filters: MentionFilters;
}

/** The same for equal keys, so that subscribing again renews, whatever casemapping the network announces by then. It names a subscription to its receiver, and proves nothing. */
export const subscriptionIdOf = ({ accountId, clientId, url, filters }: SubscriptionKey): string =>
  derivedId('sub', [accountId, clientId, url, MENTION_EVENT, canonicalFilters(filters, 'ascii')]);

/** The same for the same entry, so that no mention has two. */
export const eventIdOf = (subscriptionId: string, entryId: string): string =>
  derivedId('evt', [subscriptionId, entryId]);

/** A callback's address in the one form in which its spellings are equal. */
export const callbackAddress = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** What a receiver gets, as it is signed: the same bytes at each attempt. @spec connector#events payload content */
export function occurrence(eventId: string, entry: Entry): string {
  const { network, channel, sender, text, kind, eventAt, observedAt, entryId } = entry;
  return JSON.stringify({
    eventId,
    name: MENTION_EVENT,
    timestamp: new Date(eventAt).toISOString(),
    data: {
      network,
      channel,
      sender: sender.toWellFormed(),
      text: text.slice(0, TEXT_MAX_CODE_UNITS).toWellFormed(),
      kind,
      observedAt: new Date(observedAt).toISOString(),
      entryId,
    },
    // There is no replay: history has what was missed.
    cursor: null,
  });
}

const derivedId = (kind: string, parts: readonly unknown[]): string =>
  `${kind}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_DIGITS)}`;
