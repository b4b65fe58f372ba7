import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../domain/channel.ts';

/** The path segment of a channel: its name without the leading `#`. @spec connector#rest-irc-endpoints */
export const channelParams = {
  schema: z.object({
    channel: z
      .string()
      .max(CHANNEL_MAX_CHARACTERS - 1)
      // No character classes that need a flag: readers of the API's description may not set flags.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no channel has these characters.
      .regex(/^[^\s,:#/\u0000-\u001f\u007f-\u009f]+$/)
      .describe('Name of an enabled channel without its leading #, in any case.'),
  }),
  refusal: {
    code: 'channel_invalid',
    message: 'the path names no channel: /v1/channels/NAME/messages, with the name of a channel without its leading #',
  },
} as const;
