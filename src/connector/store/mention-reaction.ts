import { z } from 'zod';
import { eventIdOf, isSaid, mentionsAnother, occurrence } from '../domain/mention-event.ts';
import { type MentionFilters, matchesFilters } from '../domain/mention-filters.ts';
import type { PlacedEntry } from '../ports/history.ts';
import type { Database } from './database.ts';
import { enqueue, type NewDelivery } from './delivery-queue.ts';
import type { Stored } from './stored.ts';
import type { SubscriptionRow } from './subscriptions.ts';

interface Subscriber {
  subscriptionId: string;
  filters: MentionFilters;
}

const InUse = z.object({ nick: z.string() });

/** Queues a delivery for each subscription of the account that wants a mention among the entries. @spec connector#events */
export async function queueMentions(stored: Stored): Promise<void> {
  const { transaction, accountId, now, tell } = stored;
  const said = stored.entries.filter(isSaid);
  if (said.length === 0) return;
  const subscribers = await subscribersOf(transaction, accountId, now);
  if (subscribers.length === 0) return;
  const nick = await nickInUse(transaction, accountId);
  const mentions = said.filter((entry) => mentionsAnother(entry, nick));
  if (mentions.length === 0) return;
  // What is enabled now, whether or not a subscription is bound to a channel.
  const enabled: string[] = await transaction('selections').where('account_id', accountId).pluck('channel');
  const heard = mentions.filter(({ channel }) => enabled.includes(channel));
  const deliveries = heard.flatMap((entry) => deliveriesOf(entry, { accountId, subscribers, now }));
  if (deliveries.length === 0) return;
  const concerned = [accountId, ...(await enqueue(transaction, deliveries))];
  for (const each of new Set(concerned)) tell(['subscriptions', each]);
  tell(['deliveries', accountId]);
}

async function subscribersOf(transaction: Database, accountId: string, now: number): Promise<Subscriber[]> {
  const rows = await transaction<SubscriptionRow>('subscriptions')
    .where('account_id', accountId)
    .where('expires_at', '>', now)
    // None of them ends before its deliveries are stored: they could not be stored without it.
    .forKeyShare()
    .select('subscription_id', 'filters');
  return rows.map(({ subscription_id: subscriptionId, filters }) => ({
    subscriptionId,
    filters: JSON.parse(filters) as MentionFilters,
  }));
}

/**
 * The nick of the session that stands; without one, the account's own. A session's nick is written in turn with its
 * lines, so it is the one that was in use when they came.
 */
async function nickInUse(transaction: Database, accountId: string): Promise<string> {
  const row: { nick: string; status: string | null } | undefined = await transaction('accounts')
    .leftJoin('presences', 'presences.account_id', 'accounts.account_id')
    .where('accounts.account_id', accountId)
    .first('accounts.nick', 'presences.status');
  const status = row?.status ?? null;
  return status === null ? (row?.nick ?? '') : InUse.parse(JSON.parse(status)).nick;
}

function deliveriesOf(
  entry: PlacedEntry,
  { accountId, subscribers, now }: { accountId: string; subscribers: readonly Subscriber[]; now: number },
): NewDelivery[] {
  return subscribers
    .filter(({ filters }) => matchesFilters(filters, entry))
    .map(({ subscriptionId }) => {
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
    });
}
