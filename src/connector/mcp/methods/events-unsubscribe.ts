import { z } from 'zod';
import { eventRefusal } from '../event-errors.ts';
import { addressOf, filtersOf, requireMention, subscriptionParams } from '../event-shapes.ts';
import { defineMethod } from './define-method.ts';

/**
 * Ends the subscription with these filters and this address; succeeds if there is no such subscription.
 * @spec connector#mcp-event-methods-at-mcp-authenticated
 */
export const eventsUnsubscribe = defineMethod({
  name: 'events/unsubscribe',
  scope: 'irc:read',
  params: z.object(subscriptionParams),
  result: z.object({}),
  handle: async ({ name, arguments: given, delivery }, { caller, services }) => {
    requireMention(name);
    await services.unsubscribe(caller, { filters: filtersOf(given), url: addressOf(delivery) });
    return {};
  },
  refusalOf: eventRefusal,
});
