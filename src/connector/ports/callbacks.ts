/** Why a callback did not do its part, in the words of the MCP Events profile. @spec connector#errors */
export type CallbackFailure =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

/** How an attempt to deliver ended. */
export type AttemptOutcome =
  | { kind: 'accepted' }
  /** No further attempt would end otherwise: the receiver is gone for good, or never takes a body of this size. */
  | { kind: 'refused'; failure: CallbackFailure }
  | {
      kind: 'failed';
      failure: CallbackFailure;
      /** How long the receiver asks not to be called again. */
      retryAfterMs?: number;
    };

/** The same, or that no attempt was made, because the delivery was not wanted any more. */
export type DeliveryOutcome = AttemptOutcome | { kind: 'withheld' };

/** The receivers that agents name, to which nothing is sent that could reach a machine behind the service. */
export interface Callbacks {
  /** Why an address of this form is never a callback, in words fit for the caller; undefined where it may be one. */
  check(url: string): string | undefined;
  /**
   * Asks the receiver to prove that it wants events; undefined when it did. Never rejects for a fault of the receiver.
   * @param target.accountId whose time it takes: one account keeps no other from being served
   * @throws EventRefusal too_many_requests when this account, or all of them at this host, ask too often or too much at once
   */
  verify(target: {
    url: string;
    secret: string;
    subscriptionId: string;
    accountId: string;
  }): Promise<CallbackFailure | undefined>;
  /**
   * One attempt, signed anew with each secret. Never rejects for a fault of the receiver.
   * @param delivery.accountId whose place at the host it takes: one account leaves some of them to others
   * @param delivery.body the same bytes at each attempt
   * @param isWanted asked right before the request, which may have waited for a place at its host. What it throws is thrown
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
