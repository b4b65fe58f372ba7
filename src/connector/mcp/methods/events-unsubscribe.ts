import { z } from 'zod';
import { eventRefusal } from '../event-errors.ts';
import { addressOf, filtersOf, requireMention, subscriptionParams } from '../event-shapes.ts';
import { defineMethod } from './define-method.ts';

/** Ends a subscription by what it was begun with; one that does not exist has ended. @spec connector#mcp-event-methods-at-mcp-authenticated */
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
