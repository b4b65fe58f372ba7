import { type Casemapping, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import { DELIVERIES_MAX, DELIVERIES_PER_SUBSCRIPTION, RENEWAL_MAX_MS } from '../domain/limits.ts';
import { eventIdOf, isSaid, mentionsAnother, occurrence } from '../domain/mention-event.ts';
import { canonicalEntry, canonicalFilters, type MentionFilters, matchesCanonical } from '../domain/mention-filters.ts';
import type { PlacedEntry } from '../ports/history-store.ts';
import type { Database } from './database.ts';
import { type DroppedCounts, enqueue, type NewDelivery } from './delivery-queue.ts';
import { restoredAt } from './restored-at.ts';
import type { NickInUse, Stored } from './stored.ts';
import type { SubscriptionRow } from './subscriptions.ts';

interface Subscriber {
  subscriptionId: string;
  filters: MentionFilters;
}

interface Mention {
  entry: PlacedEntry;
  /** Rule by which its network compares the names in filters. */
  casemapping: Casemapping;
}

interface Wanted {
  subscriptionId: string;
  entry: PlacedEntry;
}

/** Queues a delivery for each subscription of the account that wants a mention among the entries. @spec connector#events */
export async function queueMentions(stored: Stored): Promise<void> {
  const { transaction, accountId, now, invalidate } = stored;
  const said = stored.entries.filter(isSaid);
  if (said.length === 0) return;
  const subscribers = await subscribersOf(transaction, accountId, now);
  if (subscribers.length === 0) return;
  const nickOf = await nicksInUse(stored, said);
  const mentions = said.flatMap((entry): Mention[] => {
    const { nick, casemapping } = nickOf(entry);
    return mentionsAnother(entry, nick, casemapping) ? [{ entry, casemapping }] : [];
  });
  if (mentions.length === 0) return;
  // Channels that are enabled now, whether or not a subscription is bound to a channel.
  const enabled: string[] = await transaction('selections').where('account_id', accountId).pluck('channel');
  // Lines from before a backup was restored come again, and were delivered at their time.
  const since = await restoredAt(transaction);
  const heard = mentions.filter(({ entry }) => enabled.includes(entry.channel) && !isOfBefore(entry, since));
  const { wanted, tooMany } = wantedOf(heard, subscribers);
  if (wanted.length === 0) return;
  const deliveries = wanted.map((each) => deliveryOf(each, accountId, now));
  const concerned = [accountId, ...(await enqueue(transaction, deliveries, tooMany))];
  for (const each of new Set(concerned)) invalidate(['subscriptions', each]);
  invalidate(['deliveries', accountId]);
}

const isOfBefore = ({ eventAt, timestampSource }: PlacedEntry, since: number): boolean =>
  timestampSource === 'server' && eventAt < since;

async function subscribersOf(transaction: Database, accountId: string, now: number): Promise<Subscriber[]> {
  const rows = await transaction<SubscriptionRow>('subscriptions')
    .where('account_id', accountId)
    // A subscription that has just expired may be under renewal; deliveries wait until it is renewed.
    .where('expires_at', '>', now - RENEWAL_MAX_MS)
    // Locked, so that no subscription ends before its deliveries are stored, which refer to it.
    .forKeyShare()
    .select('subscription_id', 'filters');
  return rows.map(({ subscription_id: subscriptionId, filters }) => ({
    subscriptionId,
    filters: JSON.parse(filters) as MentionFilters,
  }));
}

/**
 * Returns a lookup of the nick in use when a line was received: a line waits for its turn, in which the nick may
 * change.
 */
async function nicksInUse(
  { transaction, accountId, nicks }: Stored,
  said: readonly PlacedEntry[],
): Promise<(entry: PlacedEntry) => NickInUse> {
  const isTold = said.every(({ entryId }) => nicks?.has(entryId) === true);
  const own: { nick: string; casemapping: Casemapping | null } | undefined = isTold
    ? undefined
    : await transaction('accounts').where('account_id', accountId).first('nick', 'casemapping');
  const usual = { nick: own?.nick ?? '', casemapping: own?.casemapping ?? USUAL_CASEMAPPING };
  return ({ entryId }) => nicks?.get(entryId) ?? usual;
}

/**
 * Returns the wanted mentions of each subscription, in order of arrival. If there are more than the queue holds, it
 * skips the oldest instead of inserting and then deleting them.
 */
function wantedOf(
  mentions: readonly Mention[],
  subscribers: readonly Subscriber[],
): { wanted: Wanted[]; tooMany: DroppedCounts } {
  const said = mentions.map((each) => ({ ...each, canonical: canonicalEntry(each.entry, each.casemapping) }));
  const casemappings = [...new Set(mentions.map(({ casemapping }) => casemapping))];
  const matching = subscribers.map(({ subscriptionId, filters }) => {
    const canonicalBy = new Map(casemappings.map((each) => [each, canonicalFilters(filters, each)]));
    return said
      .filter(({ canonical, casemapping }) => matchesCanonical(canonicalBy.get(casemapping) ?? filters, canonical))
      .map(({ entry }): Wanted => ({ subscriptionId, entry }));
  });
  const wanted = matching
    .flatMap((each) => each.slice(-DELIVERIES_PER_SUBSCRIPTION))
    .sort((one, other) => one.entry.row - other.entry.row)
    .slice(-DELIVERIES_MAX);
  const kept = new Map<string, number>();
  for (const { subscriptionId } of wanted) kept.set(subscriptionId, (kept.get(subscriptionId) ?? 0) + 1);
  const tooMany = matching.flatMap(([first, ...others]): [string, number][] => {
    if (first === undefined) return [];
    const left = 1 + others.length - (kept.get(first.subscriptionId) ?? 0);
    return left === 0 ? [] : [[first.subscriptionId, left]];
  });
  return { wanted, tooMany: new Map(tooMany) };
}

function deliveryOf({ subscriptionId, entry }: Wanted, accountId: string, now: number): NewDelivery {
  const eventId = eventIdOf(subscriptionId, entry.entryId);
  return {
    event_id: eventId,
    subscription_id: subscriptionId,
    account_id: accountId,
    channel: entry.channel,
    body: occurrence(eventId, entry),
    created_at: now,
    due_at: now,
  };
}
