import type { Caller } from '../domain/account.ts';
import {
  SUBSCRIPTION_DEFAULT_MS,
  SUBSCRIPTION_MAX_MS,
  SUBSCRIPTION_MIN_MS,
  SUBSCRIPTIONS_PER_CLIENT,
  VERIFICATION_MS,
} from '../domain/limits.ts';
import { callbackAddress, subscriptionIdOf } from '../domain/mention-event.ts';
import { canonicalFilters, isFindable, type MentionFilters } from '../domain/mention-filters.ts';
import { approvedNetworks } from '../domain/network.ts';
import { isPersonalTokenClient } from '../domain/personal-token.ts';
import { ConnectorError, channelNotEnabled, EventRefusal } from '../errors.ts';
import type { CallbackFailure } from '../ports/callbacks.ts';
import type { Callback, Subscription } from '../ports/subscription-store.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface SubscribeRequest {
  filters: MentionFilters;
  url: string;
  /** The client's own secret, which signs the deliveries. */
  secret: string;
  /** Requested lifetime; null asks for the longest one, undefined for the default. */
  ttlMs: number | null | undefined;
}

export interface SubscriptionGrant {
  subscriptionId: string;
  /** Milliseconds since 1970; the client repeats the call before this time to renew. */
  expiresAt: number;
  /** The subscription before this call; undefined if it is new. */
  renewed: Subscription | undefined;
}

/**
 * Subscribes the client to mentions, once its callback has proved that it wants them. Repeating the call renews the
 * subscription and replaces its secret; a failed call changes no subscription.
 * @throws ConnectorError subscription_invalid, channel_not_enabled, subscriptions_exhausted, callback_failed,
 * too_many_requests, access_ended, subscription_ended
 * @spec connector#event-subscription
 */
export async function subscribe(
  context: ServiceContext,
  caller: Caller,
  { filters: written, url: address, secret, ttlMs }: SubscribeRequest,
): Promise<SubscriptionGrant> {
  const { store, callbacks, clock } = context;
  const problem = callbacks.check(address) ?? keywordProblem(written);
  if (problem !== undefined) throw new EventRefusal('subscription_invalid', problem);
  const callback = { url: callbackAddress(address), secret };
  const subscriptionId = subscriptionIdOf({ ...caller, url: callback.url, filters: written });
  const renewed = await requireRoom(context, caller, subscriptionId);
  // Renewing needs no enabled channel: a paused subscription keeps its own.
  const filters = renewed?.filters ?? (await boundFilters(context, caller, written));
  const verifiedAt = await verified(context, caller, { subscriptionId, callback });
  const expiresAt = clock.now() + lifeMs(ttlMs);
  const { channel } = filters;
  const isRenewal = renewed !== undefined;
  const wanted = { ...caller, subscriptionId, filters, channel, callback, verifiedAt, expiresAt, isRenewal };
  // Access may have changed while the callback was asked.
  if (isPersonalTokenClient(caller.clientId) && context.settings.personalTokens !== true) throw accessEnded();
  switch (await store.subscriptions.put(wanted)) {
    case 'full':
      throw exhausted();
    case 'channel_not_enabled':
      throw channelNotEnabled(channel ?? '');
    case 'access_ended':
      throw accessEnded();
    case 'ended':
      throw new ConnectorError(
        'subscription_ended',
        'the subscription was ended while its callback was asked: subscribe again to begin it anew',
      );
    case 'begun':
      return { subscriptionId, expiresAt, renewed: undefined };
    case 'renewed':
      return { subscriptionId, expiresAt, renewed };
  }
}

/** The filters, with the channel spelled as it is enabled. */
async function boundFilters(
  context: ServiceContext,
  { accountId }: Caller,
  filters: MentionFilters,
): Promise<MentionFilters> {
  requireNetwork(context, filters);
  const { channel } = filters;
  if (channel === undefined) return filters;
  return { ...filters, channel: requireChannel(await requireAccount(context, accountId), channel) };
}

/** Refuses a network that does not exist: the subscription would wait for ever. */
function requireNetwork({ settings }: ServiceContext, filters: MentionFilters): void {
  const wanted = canonicalFilters(filters).network;
  const names = approvedNetworks(settings).map(({ name }) => name);
  if (wanted === undefined || names.some((network) => canonicalFilters({ network }).network === wanted)) return;
  throw new EventRefusal(
    'subscription_invalid',
    `arguments.network: expected one of ${names.join(', ')}, or nothing for all of them`,
  );
}

const keywordProblem = ({ keyword }: MentionFilters): string | undefined =>
  keyword === undefined || isFindable(keyword)
    ? undefined
    : 'the keyword is empty: leave it out, or give the words to find';

/**
 * Checks the limit first, so that the callback is not contacted in vain; storing checks it again. Returns the existing
 * subscription, if any.
 */
async function requireRoom(
  { store }: ServiceContext,
  { accountId, clientId }: Caller,
  subscriptionId: string,
): Promise<Subscription | undefined> {
  const own = (await store.subscriptions.ofAccount(accountId)).filter((each) => each.clientId === clientId);
  const known = own.find((each) => each.subscriptionId === subscriptionId);
  if (known === undefined && own.length >= SUBSCRIPTIONS_PER_CLIENT) throw exhausted();
  return known;
}

/** Time at which the callback proved that it wants events: an earlier proof if it is recent enough, else now. */
async function verified(
  { store, callbacks, clock }: ServiceContext,
  caller: Caller,
  { subscriptionId, callback }: { subscriptionId: string; callback: Callback },
): Promise<number> {
  const before = await store.subscriptions.verifiedAt(caller, callback);
  if (before !== undefined && before > clock.now() - VERIFICATION_MS) return before;
  const failure = await callbacks.verify({ ...callback, subscriptionId, accountId: caller.accountId });
  if (failure !== undefined) throw new EventRefusal('callback_failed', REMEDIES[failure], { reason: failure });
  return clock.now();
}

const lifeMs = (ttlMs: number | null | undefined): number =>
  ttlMs === undefined
    ? SUBSCRIPTION_DEFAULT_MS
    : Math.min(SUBSCRIPTION_MAX_MS, Math.max(SUBSCRIPTION_MIN_MS, ttlMs ?? SUBSCRIPTION_MAX_MS));

const accessEnded = (): ConnectorError =>
  new ConnectorError('access_ended', 'the person does not allow this client to read any more');

const exhausted = (): EventRefusal =>
  new EventRefusal(
    'subscriptions_exhausted',
    `this client has ${SUBSCRIPTIONS_PER_CLIENT} subscriptions, which is the limit: end one of them first`,
    { limit: 'subscriptions', max: SUBSCRIPTIONS_PER_CLIENT },
  );

const REMEDIES: Record<CallbackFailure, string> = {
  connection_refused: 'the callback can’t be reached: its host must have public addresses only, and take connections',
  timeout: 'the callback did not answer in time',
  tls_error: 'the callback has no certificate that is trusted here',
  http_4xx: 'the callback refused the challenge',
  http_5xx: 'the callback failed at the challenge',
  challenge_failed:
    'the callback did not answer the challenge: it must answer 2xx with {"challenge": "<the one it got>"} as JSON',
};
