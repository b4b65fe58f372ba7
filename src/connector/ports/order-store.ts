/** The last three, and `log_in`, have the holder follow what is stored already. */
export type OrderKind =
  | 'go_online'
  | 'go_offline'
  | 'choose_network'
  | 'log_in'
  | 'make_certificate'
  | 'follow_channels'
  | 'follow_nick'
  | 'forget_login';

/** Something that the process which holds an account's session is to do. */
export interface NewOrder {
  accountId: string;
  kind: OrderKind;
  /** Name of the network to choose; the `Network` of a certificate, as JSON. It is never a secret. */
  argument?: string;
}

/** An order that a holder has taken. */
export interface TakenOrder {
  orderId: string;
  accountId: string;
  kind: OrderKind;
  argument: string | null;
  /** Whether it was asked through the same store, by a caller that waits in memory. */
  isOwn: boolean;
  /** Milliseconds until its deadline, when it was taken. */
  leftMs: number;
}

/** A refusal as other processes read it. */
export interface StoredRefusal {
  /** An `ErrorCode`. */
  code: string;
  message: string;
  retryAfterSeconds?: number | undefined;
}

/** What came of an order: the value of the operation, or its refusal. */
export type OrderOutcome = { value: boolean | null } | { error: StoredRefusal };

export type OrderState = 'waiting' | 'taken' | OrderOutcome;

/** Orders of all processes. Those of an account are carried out in the order in which they were stored. */
export interface OrderStore {
  /**
   * Stores an order.
   * @param takes whether to take all orders of the account that wait, in the same transaction
   * @throws ConnectorError account_removed, account_busy
   */
  add(order: NewOrder, takes: boolean): Promise<{ orderId: string; leftMs: number; taken: TakenOrder[] }>;
  /** Returns the accounts with orders that this process may take. */
  waiting(): Promise<string[]>;
  /**
   * Takes the orders of an account whose deadlines are not over, the oldest first: new ones, and those that a former
   * holder had taken.
   */
  take(accountId: string): Promise<TakenOrder[]>;
  /** Gives back orders of an account that this process has taken, except for those it knows. */
  release(accountId: string, known: readonly string[]): Promise<void>;
  /** Records what came of an order. One of our own is removed: its caller has the outcome. */
  finish(order: TakenOrder, outcome: OrderOutcome): Promise<void>;
  /** Returns order → its state. One whose row was removed, long after its deadline, is missing. */
  statesOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderState>>;
  /** Ends an order that no holder has taken; false if one has. */
  cancel(orderId: string): Promise<boolean>;
  /** Removes an order whose outcome is known to its caller. */
  forget(orderId: string): Promise<void>;
  /** Removes at most `limit` orders whose deadlines were over a minute ago; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
