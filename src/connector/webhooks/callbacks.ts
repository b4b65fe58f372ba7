import type { Clock } from '../../kernel/clock.ts';
import { countedHost } from '../domain/counted-host.ts';
import { DELIVERIES_AT_ONCE } from '../domain/limits.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { PlacesByKey } from '../places-by-key.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import { callbackUrlFault } from './callback-url.ts';
import { deliveryOutcome } from './delivery-outcome.ts';
import { signedHeaders } from './signed-headers.ts';
import { createVerification } from './verification.ts';

/** The answer to a delivery says nothing beyond its status; a short one is read, so that the receiver can finish it. */
const ANSWER_BYTES_MAX = 16_384;

/** Deliveries to one host at once, of all and of one account: many agents may share a host, and some of their receivers hang. */
const DELIVERIES_OF_HOST_AT_ONCE = 16;
const DELIVERIES_OF_ACCOUNT_AT_HOST = 8;

/**
 * In each of its two lines a delivery waits no longer: then others may be due before it. Both and the request itself take less
 * than its lease.
 */
const WAIT_MAX_MS = 45_000;

class NoPlace extends Error {}

export interface CallbackParts {
  outbound: Outbound;
  clock: Clock;
  /** How long a delivery waits in each of its two lines. */
  waitMaxMs?: number;
}

/** Webhooks to the addresses that agents name. */
export function createCallbacks({ outbound, clock, waitMaxMs = WAIT_MAX_MS }: CallbackParts): Callbacks {
  // As many as there are deliveries under way may wait.
  const line = { max: DELIVERIES_AT_ONCE, waitMaxMs, refusal: () => new NoPlace() };
  const hostPlaces = new PlacesByKey(DELIVERIES_OF_HOST_AT_ONCE, line);
  const accountPlaces = new PlacesByKey(DELIVERIES_OF_ACCOUNT_AT_HOST, line);
  const inItsPlace = <T>(accountId: string, host: string, work: () => Promise<T>): Promise<T> =>
    accountPlaces.use(`${accountId} ${host}`, () => hostPlaces.use(host, work));
  return {
    check: (url) => callbackUrlFault(url, outbound.hosts),
    verify: createVerification({ outbound, clock }),
    deliver: ({ url, secrets, subscriptionId, accountId, eventId, body }, isWanted) =>
      inItsPlace(accountId, countedHost(url), async (): Promise<DeliveryOutcome> => {
        // It may have waited for its place for a minute.
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
