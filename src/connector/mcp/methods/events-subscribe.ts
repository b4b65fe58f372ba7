import { z } from 'zod';
import type { Subscription } from '../../ports/subscriptions.ts';
import { Instant, isoTime, isoTimeOrNull } from '../../wire/entry.ts';
import { eventRefusal } from '../event-errors.ts';
import { filtersOf, requireMention, subscriptionParams, webhookOf } from '../event-shapes.ts';
import { defineMethod } from './define-method.ts';

/** Any number of milliseconds is met as well as it can be, so only other things than whole numbers are refused. */
const Milliseconds = z.number().refine(Number.isInteger, 'expected an integer');

const DeliveryStatus = z.object({
  active: z.boolean(),
  lastDeliveryAt: Instant.nullable(),
  lastError: z.string().nullable(),
  failedSince: Instant.optional(),
});

/** Begins or renews a subscription. @spec connector#mcp-event-methods-at-mcp-authenticated */
export const eventsSubscribe = defineMethod({
  name: 'events/subscribe',
  scope: 'irc:read',
  params: z.object({
    ...subscriptionParams,
    ttlMs: Milliseconds.nullish(),
    // Both are about events of before the subscription, of which none are sent.
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
      // No cursor is given out: whoever has one asks for events that this server can't send again.
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
