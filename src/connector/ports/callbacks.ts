/** Reason of a callback's failure, in the words of the MCP Events profile. @spec connector#errors */
export type CallbackFailure =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

/** Result of an attempt to deliver. */
export type AttemptOutcome =
  | { kind: 'accepted' }
  /** Final: the receiver is gone for good, or never accepts a body of this size. */
  | { kind: 'refused'; failure: CallbackFailure }
  | {
      kind: 'failed';
      failure: CallbackFailure;
      /** Milliseconds for which the receiver asks not to be called again. */
      retryAfterMs?: number;
    };

/** Result of an attempt, or `withheld`: not attempted, because the delivery was no longer wanted. */
export type DeliveryOutcome = AttemptOutcome | { kind: 'withheld' };

/** Calls receivers that agents name. Calls that could reach a machine behind the service are refused. */
export interface Callbacks {
  /** Returns why an address of this form is never a callback, in words for the caller; undefined if it may be one. */
  check(url: string): string | undefined;
  /**
   * Asks the receiver to prove that it wants events; undefined if it did. Never rejects for a fault of the receiver.
   * @param target.accountId account whose share of time it uses: one account can't block others
   * @throws EventRefusal too_many_requests if this account, or all accounts at this host, verify too often or too much
   * at once
   */
  verify(target: {
    url: string;
    secret: string;
    subscriptionId: string;
    accountId: string;
  }): Promise<CallbackFailure | undefined>;
  /**
   * Makes one attempt, signed again with each secret. Never rejects for a fault of the receiver.
   * @param delivery.accountId account whose place at the host it uses: one account leaves some places to others
   * @param delivery.body the same bytes at each attempt
   * @param isWanted called right before the request, which may have waited for a place at its host. Its errors are
   * rethrown
   */
  deliver(
    delivery: {
      url: string;
      secrets: readonly string[];
      subscriptionId: string;
      accountId: string;
      eventId: string;
      body: string;
    },
    isWanted: () => Promise<boolean>,
  ): Promise<DeliveryOutcome>;
}
