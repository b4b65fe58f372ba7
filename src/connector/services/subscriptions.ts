import type { Caller } from '../domain/account.ts';
import { callbackAddress, subscriptionIdOf } from '../domain/mention-event.ts';
import type { MentionFilters } from '../domain/mention-filters.ts';
import type { Subscription, SubscriptionState } from '../ports/subscriptions.ts';
import type { ServiceContext } from './context.ts';

/** A subscription as the person sees it. */
export type SubscriptionView = Subscription;

export interface UnsubscribeRequest {
  filters: MentionFilters;
  url: string;
}

/** Ends the caller's own subscription with these filters and this address, if there is one. */
export async function unsubscribe(
  { store }: ServiceContext,
  caller: Caller,
  { filters, url }: UnsubscribeRequest,
): Promise<void> {
  const subscriptionId = subscriptionIdOf({ ...caller, url: callbackAddress(url), filters });
  await store.subscriptions.end(caller.accountId, subscriptionId);
}

/** All subscriptions of an account that live, the oldest first. */
export const subscriptions = ({ store }: ServiceContext, accountId: string): Promise<SubscriptionView[]> =>
  store.subscriptions.ofAccount(accountId);

/** False when the account has no such subscription. */
export const endSubscription = (
  { store }: ServiceContext,
  accountId: string,
  subscriptionId: string,
): Promise<boolean> => store.subscriptions.end(accountId, subscriptionId);

/** What a client is told of its own subscriptions. @spec connector#events */
export interface MentionEvents {
  state: 'not_subscribed' | SubscriptionState;
  subscriptions: readonly Subscription[];
}

export async function mentionEvents(
  { store }: ServiceContext,
  { accountId, clientId }: Caller,
): Promise<MentionEvents> {
  const own = (await store.subscriptions.ofAccount(accountId)).filter((each) => each.clientId === clientId);
  return { state: stateOf(own), subscriptions: own };
}

/** What waits counts most, then what ended last. */
function stateOf(own: readonly Subscription[]): MentionEvents['state'] {
  const [first, ...others] = own;
  if (first === undefined) return 'not_subscribed';
  if (own.some(({ state }) => state === 'queued')) return 'queued';
  return others.reduce((newest, each) => ((each.outcomeAt ?? 0) > (newest.outcomeAt ?? 0) ? each : newest), first)
    .state;
}
