import { z } from 'zod';
import { CHANNEL_MAX_CHARACTERS } from '../../domain/channel.ts';
import { ENTRY_KINDS } from '../../domain/entry.ts';
import {
  CONTEXT_ENTRIES_MAX,
  HISTORY_LIMIT_DEFAULT,
  HISTORY_LIMIT_MAX,
  RESULTS_WITH_CONTEXT_MAX,
} from '../../domain/limits.ts';
import { parseMoment } from '../../domain/moment.ts';
import { MESSAGE_STATUSES } from '../../domain/outgoing-message.ts';
import { EntryOutput } from '../../wire/entry-output.ts';

/** Longest id of an entry or a message; ours are shorter. */
const ID_MAX_CHARACTERS = 64;

const PAGE_TOKEN_MAX_CHARACTERS = 256;

/**
 * Input: how the text of an answer is written.
 * @spec connector#mcp-tools the same JSON, for all that do not ask for lines
 */
export const FormatInput = z
  .enum(['json', 'lines', 'lines_only'])
  .default('json')
  .describe(
    'How the answer is written. lines: its text is one short line an entry, a seventh of the tokens of json. lines_only: the structured content has lines in place of entries, too; use it if you asked for lines and still see JSON.',
  );

/** Output: lines for clients that show their model the structured content. */
export const LinesOutput = z
  .array(z.string())
  .optional()
  .describe('With format lines_only: the answer as lines. entries is empty then.');

/** The answer in the asked `format`; with lines alone, the entries are not repeated. */
export function written<R extends { entries: readonly unknown[] }>(
  format: z.output<typeof FormatInput>,
  result: R,
  lines: () => string[],
): R {
  return format === 'lines_only' ? { ...result, entries: [], lines: lines() } : result;
}

/** Lines about the page as a whole; empty if there is no notice, no cut and no further page. */
export const pageLines = ({
  nextPageToken,
  truncated,
  notice,
}: {
  nextPageToken: string | null;
  truncated: boolean;
  notice: string | null;
}): string[] => [
  ...(notice === null ? [] : [`note: ${notice}`]),
  ...(truncated ? ['more would not have fitted this answer'] : []),
  ...(nextPageToken === null ? [] : [`older: page_token ${nextPageToken}`]),
];

/** Input: a channel as a model may write it. */
export const ChannelInput = z
  .string()
  .min(1)
  .max(CHANNEL_MAX_CHARACTERS)
  .describe('An enabled channel such as "#room"; the leading # may be left out.');

export const SessionIdInput = z.string().min(1).max(ID_MAX_CHARACTERS);

export const IdInput = z.string().min(1).max(ID_MAX_CHARACTERS);

/** Longest time of ISO 8601, or id of an entry. */
const MOMENT_MAX_CHARACTERS = 64;

/** Input: a time, or an entry of the channel. */
export const MomentInput = z
  .string()
  .min(1)
  .max(MOMENT_MAX_CHARACTERS)
  .refine(
    (written) => parseMoment(written) !== undefined,
    'expected a time of ISO 8601 such as 2026-01-31T08:00:00Z, or an entryId',
  );

/** Input: kinds of entries. An empty list means all kinds. */
export const KindsInput = z
  .array(z.enum(ENTRY_KINDS))
  .max(ENTRY_KINDS.length)
  .transform((kinds) => (kinds.length === 0 ? undefined : kinds))
  .optional();

/** Input: a limit. Any whole number is taken; `withinLimits` brings it into the range. */
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

/** Returns the nearest allowed limit, and a sentence for the answer if that differs from the asked one. */
export function withinLimits(asked: number, most = HISTORY_LIMIT_MAX): { limit: number; notice: string | null } {
  const limit = Math.min(Math.max(asked, 1), most);
  if (limit === asked) return { limit, notice: null };
  return {
    limit,
    notice: `limit is from 1 to ${most}: this answer is that for ${limit}, not for ${asked}`,
  };
}

/** Input: lines of context. Any whole number is taken; the nearest allowed one counts. */
export const ContextInput = z
  .number()
  .refine(Number.isInteger, 'expected a whole number')
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: CONTEXT_ENTRIES_MAX,
    description: `How many lines said before and after each result to add; none when left out. With them at most ${RESULTS_WITH_CONTEXT_MAX} results come at once.`,
  })
  .default(0);

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

/** Output: a message and its status. @spec connector#outgoing-message */
export const messageOutput = {
  messageId: z.string(),
  entryId: z.string().describe("The message's entry in the channel's history."),
  channel: z.string(),
  status: z
    .enum(MESSAGE_STATUSES)
    .describe(
      'pending: waits for its turn, up to half a minute. queued: written to the bouncer; it stays so when the connection was lost before the line came back, and then it is unknown whether it was said. echoed: it came back through the bouncer, which does not prove that anyone read it. failed: not said, see reason.',
    ),
  reason: z.string().nullable().describe('Why it failed; null otherwise.'),
};
