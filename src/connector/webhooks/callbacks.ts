import type { Clock } from '../../kernel/clock.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import { callbackUrlFault } from './callback-url.ts';
import { deliveryOutcome } from './delivery-outcome.ts';
import { HostPlaces } from './host-places.ts';
import { signedHeaders } from './signed-headers.ts';
import { createVerification } from './verification.ts';

/** The answer to a delivery says nothing beyond its status; a short one is read, so that the receiver can finish it. */
const ANSWER_BYTES_MAX = 16_384;

export interface CallbackParts {
  outbound: Outbound;
  clock: Clock;
}

/** Webhooks to the addresses that agents name. */
export function createCallbacks({ outbound, clock }: CallbackParts): Callbacks {
  const hostPlaces = new HostPlaces();
  return {
    check: (url) => callbackUrlFault(url, outbound.hosts),
    verify: createVerification({ outbound, clock }),
    deliver: ({ url, secrets, subscriptionId, eventId, body }) =>
      hostPlaces.use(new URL(url).hostname, async (): Promise<DeliveryOutcome> => {
        const sentAt = new Date(clock.now());
        const headers = signedHeaders({ messageId: eventId, subscriptionId, body, secrets, sentAt });
        const answer = await outbound.send({ url, method: 'POST', headers, body, answerBytesMax: ANSWER_BYTES_MAX });
        return deliveryOutcome(answer, clock.now());
      }),
  };
}
