import type { Caller } from '../domain/account.ts';
import type { MentionFilters } from '../domain/mention-filters.ts';
import type { CallbackFailure } from './callbacks.ts';

/**
 * How the deliveries of a subscription stand: nothing was delivered or waits; one waits for its first or next attempt;
 * the newest was accepted, or has failed for good.
 */
export const SUBSCRIPTION_STATES = ['idle', 'queued', 'accepted', 'failed'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** A client that is told of mentions, without its callback's address and secret. */
export interface Subscription extends Caller {
  subscriptionId: string;
  /** As the person read it when they allowed the client. */
  clientName: string;
  filters: MentionFilters;
  /** Host and port of the callback. */
  callbackHost: string;
  /** Milliseconds since 1970, like the others. */
  createdAt: number;
  expiresAt: number;
  /** Its channel is not enabled at the moment. */
  isPaused: boolean;
  state: SubscriptionState;
  /** When the newest delivery was accepted or has failed; null while none has. */
  outcomeAt: number | null;
  /** When a delivery was last accepted. */
  acceptedAt: number | null;
  /** Since when attempts fail; null after one that was accepted. */
  failingSince: number | null;
  lastFailure: CallbackFailure | null;
  /** How many of its deliveries were dropped, because too many waited, or one for too long. */
  droppedCount: number;
}

export interface Callback {
  url: string;
  secret: string;
}

/** A subscription to begin or to renew. */
export interface WantedSubscription extends Caller {
  subscriptionId: string;
  filters: MentionFilters;
  /** The channel that it is bound to, by the name it is enabled under. */
  channel: string | undefined;
  callback: Callback;
  /** When the callback proved that it wants events. */
  verifiedAt: number;
  expiresAt: number;
  /** Whether it lived when the call began: it may have expired or ended while its callback was asked. */
  isRenewal: boolean;
}

/** What became of it: it was begun or renewed, or one of the reasons against it. `ended`: what was to be renewed is no more. */
export type Subscribed = 'begun' | 'renewed' | 'full' | 'channel_not_enabled' | 'access_ended' | 'ended';

export interface SubscriptionStore {
  /** Those that have not expired, the oldest first. */
  ofAccount(accountId: string): Promise<Subscription[]>;
  /** When this client's callback last proved, with this secret, that it wants events; undefined when it never did. */
  verifiedAt(caller: Caller, callback: Callback): Promise<number | undefined>;
  /**
   * Begins it, if the client may still read, the channel is enabled, and the client has room; or renews it, if the client may
   * still read: one that lived when its renewal began goes on with what waits for it, though it has expired since.
   */
  put(wanted: WantedSubscription): Promise<Subscribed>;
  /** Ends it with all its deliveries; false when the account has no such subscription. */
  end(accountId: string, subscriptionId: string): Promise<boolean>;
  /** Ends those of all tokens that people have made, with their deliveries. */
  endOfPersonalTokens(): Promise<void>;
  /** Removes at most `limit` that have expired, and that no renewal can reach any more; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
