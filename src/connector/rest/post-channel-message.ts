import { z } from 'zod';
import { MESSAGE_MAX_CHARACTERS } from '../domain/limits.ts';
import { textProblem } from '../domain/message-text.ts';
import { channelParams } from './channel-segment.ts';
import { defineRoute } from './define-route.ts';

const NewMessage = z.object({
  text: z
    .string()
    .refine((text) => textProblem(text) === undefined)
    // Characters are code points, as they are in JSON Schema.
    .meta({
      description: 'One line without control characters.',
      minLength: 1,
      maxLength: MESSAGE_MAX_CHARACTERS,
    }),
});

/**
 * Accepts a message for delivery to the bouncer; that is no proof that anyone has read it.
 * @spec connector#rest-irc-endpoints
 */
export const postChannelMessage = defineRoute({
  operationId: 'postChannelMessage',
  summary:
    "Sends one message to an enabled channel under the account's nick, where everybody in the channel can read it.",
  method: 'post',
  path: '/v1/channels/{channel}/messages',
  scope: 'irc:write',
  params: channelParams,
  body: {
    name: 'NewMessage',
    schema: NewMessage,
    refusal: {
      code: 'message_invalid',
      message: `the body must be {"text": TEXT} with 1 to ${MESSAGE_MAX_CHARACTERS} characters, one line, no control characters`,
    },
  },
  status: 202,
  response: {
    name: 'AcceptedMessage',
    schema: z.object({ accepted: z.boolean(), channel: z.string().describe('Channel name with leading #.') }),
  },
  refusals: [
    'channel_not_enabled',
    'message_invalid',
    'rate_limited',
    'backlog_full',
    'account_offline',
    'bouncer_unreachable',
    'provisioning_failed',
    'database_full',
    'body_malformed',
    'body_too_large',
    'media_type_unsupported',
  ],
  handle: async ({ params, body: { text } }, { caller, services }) => {
    const { channel } = await services.postMessage(caller, { channel: `#${params.channel}`, text });
    return { accepted: true, channel };
  },
});
