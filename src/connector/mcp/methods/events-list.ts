import { z } from 'zod';
import { MENTION_EVENT } from '../../domain/mention-event.ts';
import { EventRefusal } from '../../errors.ts';
import { portableJsonSchema } from '../../wire/portable-schema.ts';
import { eventRefusal } from '../event-errors.ts';
import { FilterInput, MentionPayload } from '../event-shapes.ts';
import { defineMethod } from './define-method.ts';

const JsonSchema = z.record(z.string(), z.unknown());

const EVENTS = [
  {
    name: MENTION_EVENT,
    description:
      "Somebody else names the person's current IRC nick, as a whole word, in an enabled channel. Sent while the account is online; mentions that were missed come when it is connected again, with the time they were said.",
    delivery: ['webhook'],
    inputSchema: portableJsonSchema(FilterInput, 'input'),
    // Written as an input schema: receivers must accept further members, which later versions may send.
    payloadSchema: portableJsonSchema(MentionPayload, 'input'),
  },
];

/**
 * Lists the events that exist; the call does not subscribe to any.
 * @spec connector#mcp-event-methods-at-mcp-authenticated
 */
export const eventsList = defineMethod({
  name: 'events/list',
  scope: 'irc:read',
  params: z.object({ cursor: z.unknown().optional() }),
  result: z.object({
    events: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        delivery: z.array(z.string()),
        inputSchema: JsonSchema,
        payloadSchema: JsonSchema,
      }),
    ),
  }),
  handle: async ({ cursor = null }) => {
    if (cursor === null) return { events: EVENTS };
    throw new EventRefusal(
      'subscription_invalid',
      'this cursor is not one of this server: the list of events has one page',
    );
  },
  refusalOf: eventRefusal,
});
