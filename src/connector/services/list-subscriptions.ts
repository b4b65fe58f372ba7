import type { Caller } from '../domain/account.ts';
import { callbackAddress, subscriptionIdOf } from '../domain/mention-event.ts';
import type { MentionFilters } from '../domain/mention-filters.ts';
import type { Subscription, SubscriptionState } from '../ports/subscription-store.ts';
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

/** Returns all live subscriptions of an account, the oldest first. */
export const subscriptions = ({ store }: ServiceContext, accountId: string): Promise<SubscriptionView[]> =>
  store.subscriptions.ofAccount(accountId);

/** Ends a subscription. Returns false if the account does not have it. */
export const endSubscription = (
  { store }: ServiceContext,
  accountId: string,
  subscriptionId: string,
): Promise<boolean> => store.subscriptions.end(accountId, subscriptionId);

/** A client's own subscriptions, with the state of all of them together. @spec connector#events */
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

/** `queued` wins; otherwise the state of the subscription with the newest outcome. */
function stateOf(own: readonly Subscription[]): MentionEvents['state'] {
  const [first, ...others] = own;
  if (first === undefined) return 'not_subscribed';
  if (own.some(({ state }) => state === 'queued')) return 'queued';
  return others.reduce((newest, each) => ((each.outcomeAt ?? 0) > (newest.outcomeAt ?? 0) ? each : newest), first)
    .state;
}
