import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../../domain/channel.ts';
import { HISTORY_LIMIT_DEFAULT, HISTORY_LIMIT_MAX } from '../../domain/limits.ts';
import { MESSAGE_STATUSES } from '../../domain/outgoing-message.ts';
import { EntryOutput } from '../../wire/entry.ts';

/** Longest id of an entry or a message; ours are shorter. */
const ID_MAX_CHARACTERS = 64;

const PAGE_TOKEN_MAX_CHARACTERS = 256;

/** Input: a channel as a model may write it. */
export const ChannelInput = z
  .string()
  .min(1)
  .max(CHANNEL_MAX_CHARACTERS)
  .describe('An enabled channel such as "#room"; the leading # may be left out.');

export const SessionIdInput = z.string().min(1).max(ID_MAX_CHARACTERS);

export const IdInput = z.string().min(1).max(ID_MAX_CHARACTERS);

/** Any whole number is taken; `withinLimits` says what becomes of one that is out of range. */
export const LimitInput = z
  .number()
  .refine(Number.isInteger, 'expected a whole number')
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: HISTORY_LIMIT_MAX,
    description: `How many entries at most; ${HISTORY_LIMIT_DEFAULT} when left out.`,
  })
  .default(HISTORY_LIMIT_DEFAULT);

/** The nearest limit that there is, and a sentence for the answer where that is another one. */
export function withinLimits(asked: number): { limit: number; notice: string | null } {
  const limit = Math.min(Math.max(asked, 1), HISTORY_LIMIT_MAX);
  if (limit === asked) return { limit, notice: null };
  return {
    limit,
    notice: `limit is from 1 to ${HISTORY_LIMIT_MAX}: this answer is that for ${limit}, not for ${asked}`,
  };
}

export const PageTokenInput = z
  .string()
  .min(1)
  .max(PAGE_TOKEN_MAX_CHARACTERS)
  .optional()
  .describe('The nextPageToken of the page before, with the other arguments as they were.');

/** Output: how every list of entries says whether there are more. */
export const pageOutput = {
  entries: z.array(EntryOutput),
  nextPageToken: z.string().nullable().describe('Pass it as page_token for older entries; null when there are none.'),
  truncated: z.boolean().describe('Whether entries were left out to keep this answer small; the next page has them.'),
  notice: z.string().nullable().describe('What of your call was not taken as you wrote it; null otherwise.'),
};

/** Output: what a message's status means. @spec connector#outgoing-message */
export const messageOutput = {
  messageId: z.string(),
  entryId: z.string().describe("The message's entry in the channel's history."),
  channel: z.string(),
  status: z
    .enum(MESSAGE_STATUSES)
    .describe(
      'pending: waits for its turn, up to half a minute. queued: written to the bouncer; it stays so when the connection was lost before the line came back, and then nobody knows whether it was said. echoed: it came back through the bouncer, which does not prove that anyone read it. failed: not said, see reason.',
    ),
  reason: z.string().nullable().describe('Why it failed; null otherwise.'),
};
