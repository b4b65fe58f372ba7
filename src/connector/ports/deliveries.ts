import type { CallbackFailure } from './callbacks.ts';

/** A mention on its way to a receiver, for one attempt. */
export interface DueDelivery {
  deliveryId: string;
  eventId: string;
  subscriptionId: string;
  accountId: string;
  url: string;
  /** Each of them signs; the newest first. */
  secrets: readonly string[];
  /** The same text at each attempt. */
  body: string;
  /** How many attempts have ended. */
  attempts: number;
}

/** The queue of deliveries. They are put there by the transaction that stores their line. */
export interface DeliveryStore {
  /**
   * Deliveries that are due, by turns of accounts, clients and subscriptions, the oldest first; each of these has only some
   * under way, and those that fail leave places to the others. Nobody else gets them before the lease ends. Left out are
   * subscriptions that have ended, and channels that are not enabled at this moment.
   */
  take(limit: number, leaseMs: number): Promise<DueDelivery[]>;
  /** Whether one that was taken may be sent at this moment: it was not dropped, its subscription lives, its channel is enabled. */
  isWanted(deliveryId: string): Promise<boolean>;
  /** Ends the lease of one that was not attempted. If it is still in the queue, it is taken again when it may be sent. */
  giveBack(deliveryId: string): Promise<void>;
  accepted(deliveryId: string): Promise<void>;
  /** @param retryAt when to attempt it again; undefined: it has ended */
  failedAttempt(deliveryId: string, failure: CallbackFailure, retryAt: number | undefined): Promise<void>;
  /** When the next one can be taken; undefined when none waits. */
  nextDueAt(): Promise<number | undefined>;
  /** Those that are due later than this are due then: the clock was set back since their times were noted. */
  dueBy(latest: number): Promise<void>;
  /** How many wait, and how many were ever dropped unattempted or between attempts because too many waited, or too long. */
  counts(): Promise<{ waiting: number; dropped: number }>;
  /**
   * No others than these are under way: at start none, after a run that ended without a word; later those that are known,
   * after a `take` of which the answer was lost.
   */
  releaseAllBut(deliveryIds: readonly string[]): Promise<void>;
  /** Drops at most `limit` that have waited too long; returns how many. */
  removeStale(limit: number): Promise<number>;
}
