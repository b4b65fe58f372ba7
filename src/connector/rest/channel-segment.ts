import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS, CHANNEL_REST } from '../domain/channel.ts';

/** The path segment of a channel: its name without the leading `#`. @spec connector#rest-irc-endpoints */
export const channelParams = {
  schema: z.object({
    channel: z
      .string()
      .max(CHANNEL_MAX_CHARACTERS - 1)
      .regex(CHANNEL_REST)
      .describe('Name of an enabled channel without its leading #, in any case.'),
  }),
  refusal: {
    code: 'channel_invalid',
    message: 'the path names no channel: /v1/channels/NAME/messages, with the name of a channel without its leading #',
  },
} as const;
