import type { Clock } from '../../kernel/clock.ts';
import { countedHost } from '../domain/counted-host.ts';
import { DELIVERIES_AT_ONCE, DELIVERIES_OF_ACCOUNT_AT_HOST, DELIVERIES_OF_HOST_AT_ONCE } from '../domain/limits.ts';
import type { Processes } from '../domain/share.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { PlacesByKey } from '../places-by-key.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import { callbackUrlFault } from './callback-url.ts';
import { deliveryOutcome } from './delivery-outcome.ts';
import { signedHeaders } from './signed-headers.ts';
import { createVerification } from './verification.ts';

/**
 * Longest answer to a delivery that is read. Only its status matters; it is read so that the receiver can finish it.
 */
const ANSWER_BYTES_MAX = 16_384;

/**
 * Longest wait of a delivery in each of its two lines: afterwards others may be due before it. Both waits and the
 * request itself take less time than its lease.
 */
const WAIT_MAX_MS = 45_000;

class NoPlace extends Error {}

export interface CallbackParts {
  outbound: Outbound;
  clock: Clock;
  /** Processes that verify callbacks; one by default. */
  processes?: Processes;
  /** Longest wait of a delivery in each of its two lines. */
  waitMaxMs?: number;
}

/** Creates the webhook client for addresses that agents name. */
export function createCallbacks({
  outbound,
  clock,
  processes = () => 1,
  waitMaxMs = WAIT_MAX_MS,
}: CallbackParts): Callbacks {
  // The line has room for all deliveries under way.
  const line = { max: DELIVERIES_AT_ONCE, waitMaxMs, refusal: () => new NoPlace() };
  const hostPlaces = new PlacesByKey(DELIVERIES_OF_HOST_AT_ONCE, line);
  const accountPlaces = new PlacesByKey(DELIVERIES_OF_ACCOUNT_AT_HOST, line);
  const inItsPlace = <T>(accountId: string, host: string, work: () => Promise<T>): Promise<T> =>
    accountPlaces.use(`${accountId} ${host}`, () => hostPlaces.use(host, work));
  return {
    check: (url) => callbackUrlFault(url, outbound.hosts),
    verify: createVerification({ outbound, clock, processes }),
    deliver: ({ url, secrets, subscriptionId, accountId, eventId, body }, isWanted) =>
      inItsPlace(accountId, countedHost(url), async (): Promise<DeliveryOutcome> => {
        // The delivery may have waited for a place for a minute.
        if (!(await isWanted())) return { kind: 'withheld' };
        const sentAt = new Date(clock.now());
        const headers = signedHeaders({ messageId: eventId, subscriptionId, body, secrets, sentAt });
        const answer = await outbound.send({ url, method: 'POST', headers, body, answerBytesMax: ANSWER_BYTES_MAX });
        return deliveryOutcome(answer, clock.now());
      }).catch((error: unknown): DeliveryOutcome => {
        if (error instanceof NoPlace) return { kind: 'withheld' };
        throw error;
      }),
  };
}
