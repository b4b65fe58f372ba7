import type { Clock } from '../../kernel/clock.ts';
import { countedHost } from '../domain/counted-host.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import { callbackUrlFault } from './callback-url.ts';
import { deliveryOutcome } from './delivery-outcome.ts';
import { PlacesByKey } from './places-by-key.ts';
import { signedHeaders } from './signed-headers.ts';
import { createVerification } from './verification.ts';

/** The answer to a delivery says nothing beyond its status; a short one is read, so that the receiver can finish it. */
const ANSWER_BYTES_MAX = 16_384;

/** Deliveries to one host at once, of all and of one account: many agents may share a host, and some of their receivers hang. */
const DELIVERIES_OF_HOST_AT_ONCE = 16;
const DELIVERIES_OF_ACCOUNT_AT_HOST = 8;

export interface CallbackParts {
  outbound: Outbound;
  clock: Clock;
}

/** Webhooks to the addresses that agents name. */
export function createCallbacks({ outbound, clock }: CallbackParts): Callbacks {
  const hostPlaces = new PlacesByKey(DELIVERIES_OF_HOST_AT_ONCE);
  const accountPlaces = new PlacesByKey(DELIVERIES_OF_ACCOUNT_AT_HOST);
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
      }),
  };
}
