import type { CallbackFailure } from './callbacks.ts';

/** A mention on its way to a receiver, for one attempt. */
export interface DueDelivery {
  deliveryId: string;
  eventId: string;
  subscriptionId: string;
  accountId: string;
  url: string;
  /** Secrets that sign it, the newest first. */
  secrets: readonly string[];
  /** The same text at each attempt. */
  body: string;
  /** Number of ended attempts. */
  attempts: number;
}

/** The queue of deliveries. The transaction that stores a line enqueues them. */
export interface DeliveryStore {
  /**
   * Leases due deliveries, by turns of accounts, clients and subscriptions, the oldest first. Each of these, and each
   * host, has a limit of leases over all processes, and failing ones leave places to the others. Other callers do not get them before the lease ends. Ended
   * subscriptions and channels that are not enabled are left out.
   */
  take(limit: number, leaseMs: number): Promise<DueDelivery[]>;
  /**
   * Returns whether a leased delivery may be sent now: it was not dropped, its subscription lives, its channel is
   * enabled, and no other process can lease it before the request is over.
   */
  isWanted(deliveryId: string): Promise<boolean>;
  /**
   * Ends this process's lease of a delivery without an attempt. If it is still queued, it is leased again when it may be
   * sent.
   */
  giveBack(deliveryId: string): Promise<void>;
  accepted(deliveryId: string): Promise<void>;
  /**
   * Does nothing if another process has the lease by now.
   * @param retryInMs time until the next attempt; undefined if it has ended
   */
  failedAttempt(deliveryId: string, failure: CallbackFailure, retryInMs: number | undefined): Promise<void>;
  /**
   * Returns the milliseconds until the next one can be leased, negative if it could be before; undefined if the queue
   * is empty.
   */
  nextDueInMs(): Promise<number | undefined>;
  /** Makes all due now: the clock was set back since their times were stored. */
  makeAllDue(): Promise<void>;
  /**
   * Returns the numbers of queued deliveries, and of those ever dropped because too many were queued, or for too long.
   */
  counts(): Promise<{ waiting: number; dropped: number }>;
  /**
   * Ends all other leases of this process: those that are unknown after a `take` without an answer. If only one process
   * can use the database, they are also those of earlier runs.
   */
  releaseAllBut(deliveryIds: readonly string[]): Promise<void>;
  /**
   * Ends the leases of other processes that have ended or are dead; it must be called every two seconds to know.
   * Returns whether there were any.
   */
  releaseOfDead(): Promise<boolean>;
  /** Drops at most `limit` deliveries that were queued for too long; returns how many. */
  removeStale(limit: number): Promise<number>;
}
