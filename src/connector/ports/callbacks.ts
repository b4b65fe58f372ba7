/** Why a callback did not do its part, in the words of the MCP Events profile. @spec connector#errors */
export type CallbackFailure =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

/** How an attempt to deliver ended. */
export type DeliveryOutcome =
  | { kind: 'accepted' }
  /** No further attempt would end otherwise: the receiver is gone for good, or never takes a body of this size. */
  | { kind: 'refused'; failure: CallbackFailure }
  | {
      kind: 'failed';
      failure: CallbackFailure;
      /** How long the receiver asks not to be called again. */
      retryAfterMs?: number;
    };

/** The receivers that agents name, to which nothing is sent that could reach a machine behind the service. */
export interface Callbacks {
  /** Why an address of this form is never a callback, in words fit for the caller; undefined where it may be one. */
  check(url: string): string | undefined;
  /**
   * Asks the receiver to prove that it wants events; undefined when it did. Never rejects for a fault of the receiver.
   * @throws RetryLater when too many callbacks are being verified, or too many of one host
   */
  verify(target: { url: string; secret: string; subscriptionId: string }): Promise<CallbackFailure | undefined>;
  /**
   * One attempt, signed anew with each secret. Never rejects for a fault of the receiver.
   * @param delivery.body the same bytes at each attempt
   */
  deliver(delivery: {
    url: string;
    secrets: readonly string[];
    subscriptionId: string;
    eventId: string;
    body: string;
  }): Promise<DeliveryOutcome>;
}
