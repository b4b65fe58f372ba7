import type { Caller } from '../domain/account.ts';
import type { MentionFilters } from '../domain/mention-filters.ts';
import type { CallbackFailure } from './callbacks.ts';

/**
 * State of a subscription's deliveries: without any; queued for the first or next attempt; the newest accepted, or
 * failed for good.
 */
export const SUBSCRIPTION_STATES = ['idle', 'queued', 'accepted', 'failed'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** Subscription of a client to mentions, without its callback's address and secret. */
export interface Subscription extends Caller {
  subscriptionId: string;
  /** Client's name as the person read it when they allowed the client. */
  clientName: string;
  filters: MentionFilters;
  /** Host and port of the callback. */
  callbackHost: string;
  /** Milliseconds since 1970, like the other times. */
  createdAt: number;
  expiresAt: number;
  /** Whether its channel is not enabled at the moment. */
  isPaused: boolean;
  state: SubscriptionState;
  /** Time at which the newest delivery was accepted or failed for good; null before the first. */
  outcomeAt: number | null;
  /** Time at which a delivery was last accepted. */
  acceptedAt: number | null;
  /** Time since which attempts fail; null after an accepted one. */
  failingSince: number | null;
  lastFailure: CallbackFailure | null;
  /** Number of dropped deliveries, because too many were queued, or one for too long. */
  droppedCount: number;
}

export interface Callback {
  url: string;
  secret: string;
}

/** A subscription to create or renew. */
export interface WantedSubscription extends Caller {
  subscriptionId: string;
  filters: MentionFilters;
  /** Channel that it is bound to, by the name under which it is enabled. */
  channel: string | undefined;
  callback: Callback;
  /** Time at which the callback proved that it wants events. */
  verifiedAt: number;
  expiresAt: number;
  /** Whether it lived when the call began: it may have expired or ended while its callback was verified. */
  isRenewal: boolean;
}

/** Result: created, renewed, or the reason of a refusal. `ended`: the subscription to renew no longer exists. */
export type Subscribed = 'begun' | 'renewed' | 'full' | 'channel_not_enabled' | 'access_ended' | 'ended';

export interface SubscriptionStore {
  /** Lists subscriptions that have not expired, the oldest first. */
  ofAccount(accountId: string): Promise<Subscription[]>;
  /**
   * Returns when this client's callback last proved, with this secret, that it wants events; undefined if it never did.
   */
  verifiedAt(caller: Caller, callback: Callback): Promise<number | undefined>;
  /**
   * Creates or renews the subscription. Both need the read scope; creating also needs an enabled channel and room. A
   * renewal that was requested in time counts, even if the subscription expires meanwhile; its queued deliveries stay.
   */
  put(wanted: WantedSubscription): Promise<Subscribed>;
  /** Ends it with all its deliveries; false when the account has no such subscription. */
  end(accountId: string, subscriptionId: string): Promise<boolean>;
  /** Ends the subscriptions of all personal tokens, with their deliveries. */
  endOfPersonalTokens(): Promise<void>;
  /** Removes at most `limit` expired subscriptions that no renewal can reach any more; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
