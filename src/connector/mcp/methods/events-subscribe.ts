import { z } from 'zod';
import type { Subscription } from '../../ports/subscription-store.ts';
import { Instant, isoTime, isoTimeOrNull } from '../../wire/entry-output.ts';
import { eventRefusal } from '../event-errors.ts';
import { filtersOf, requireMention, subscriptionParams, webhookOf } from '../event-shapes.ts';
import { defineMethod } from './define-method.ts';

/** Any whole number of milliseconds is served by the nearest possible lifetime; only other values are refused. */
const Milliseconds = z.number().refine(Number.isInteger, 'expected an integer');

const DeliveryStatus = z.object({
  active: z.boolean(),
  lastDeliveryAt: Instant.nullable(),
  lastError: z.string().nullable(),
  failedSince: Instant.optional(),
});

/** Creates or renews a subscription. @spec connector#mcp-event-methods-at-mcp-authenticated */
export const eventsSubscribe = defineMethod({
  name: 'events/subscribe',
  scope: 'irc:read',
  params: z.object({
    ...subscriptionParams,
    ttlMs: Milliseconds.nullish(),
    // Both ask for events from before the subscription, which are never sent.
    maxAgeMs: Milliseconds.nullish(),
    cursor: z.string().nullish(),
  }),
  result: z.object({
    id: z.string(),
    refreshBefore: Instant,
    cursor: z.null(),
    truncated: z.boolean(),
    deliveryStatus: DeliveryStatus.optional(),
  }),
  handle: async ({ name, arguments: given, delivery, ttlMs, cursor }, { caller, services }) => {
    requireMention(name);
    const { url, secret } = webhookOf(delivery);
    const grant = await services.subscribe(caller, { filters: filtersOf(given), url, secret, ttlMs });
    return {
      id: grant.subscriptionId,
      refreshBefore: isoTime(grant.expiresAt),
      cursor: null,
      // This server gives out no cursors: a client with one asks for events that cannot be sent again.
      truncated: typeof cursor === 'string',
      ...(grant.renewed === undefined ? {} : { deliveryStatus: statusOf(grant.renewed) }),
    };
  },
  refusalOf: eventRefusal,
});

const statusOf = ({ isPaused, acceptedAt, lastFailure, failingSince }: Subscription) => ({
  active: !isPaused,
  lastDeliveryAt: isoTimeOrNull(acceptedAt),
  lastError: lastFailure,
  ...(failingSince === null ? {} : { failedSince: isoTime(failingSince) }),
});
