import { createHash } from 'node:crypto';
import type { Caller } from './account.ts';
import { type Casemapping, fold, USUAL_CASEMAPPING } from './casemapping.ts';
import type { Entry, EntryKind } from './entry.ts';
import { mentionsNick } from './mention.ts';
import { canonicalFilters, type MentionFilters } from './mention-filters.ts';

/** The only kind of event. @spec connector#events */
export const MENTION_EVENT = 'message.mention';

/** Kinds of entries that people say. A kick or a topic may contain a name, too, but is not said. */
export const MENTION_KINDS = ['message', 'action'] as const satisfies readonly EntryKind[];

/** Hexadecimal digits of a derived id: 128 bits. */
const ID_DIGITS = 32;

/** A body may have 256 KiB. Lines of IRC are shorter; even at this length, six bytes for each character would fit. */
const TEXT_MAX_CODE_UNITS = 32_768;

/** Whether an entry may be a mention at all: a person has said it, and not through this program. */
export const isSaid = ({ kind, messageId }: Pick<Entry, 'kind' | 'messageId'>): boolean =>
  messageId === null && MENTION_KINDS.some((said) => said === kind);

/** @param nick the nick in use. @spec connector#events match, own messages */
export const mentionsAnother = (
  { sender, text }: Pick<Entry, 'sender' | 'text'>,
  nick: string,
  casemapping: Casemapping = USUAL_CASEMAPPING,
): boolean => fold(sender, casemapping) !== fold(nick, casemapping) && mentionsNick(text, nick, casemapping);

/** The members that make two subscriptions the same. */
export interface SubscriptionKey extends Caller {
  url: string;
  filters: MentionFilters;
}

/**
 * Returns the same id for equal keys, so that subscribing again renews, even if the network announces another
 * casemapping by then. The id names a subscription to its receiver; it is no proof.
 */
export const subscriptionIdOf = ({ accountId, clientId, url, filters }: SubscriptionKey): string =>
  derivedId('sub', [accountId, clientId, url, MENTION_EVENT, canonicalFilters(filters, 'ascii')]);

/** Returns the same id for the same entry, so that a mention never has two. */
export const eventIdOf = (subscriptionId: string, entryId: string): string =>
  derivedId('evt', [subscriptionId, entryId]);

/** Returns a callback's address in the form in which all its spellings are equal. */
export const callbackAddress = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** Returns the signed body of a delivery: the same bytes at each attempt. @spec connector#events payload content */
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
    // Events are not replayed: history has those that were missed.
    cursor: null,
  });
}

const derivedId = (kind: string, parts: readonly unknown[]): string =>
  `${kind}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_DIGITS)}`;
