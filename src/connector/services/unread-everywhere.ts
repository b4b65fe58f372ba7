import { type Caller, enabledChannels } from '../domain/account.ts';
import { ANSWER_MAX_BYTES, fittingEntries } from '../domain/answer-size.ts';
import { UNREAD_CHANNELS_AT_ONCE } from '../domain/limits.ts';
import type { BatchBounds, UnreadBatch, WaitingChannel } from '../ports/agent-cursor-store.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requireSession } from './require-account.ts';
import { markMentions, nickInUse, type UnreadEntry } from './unread.ts';

export interface UnreadChannel {
  channel: string;
  /** The last of the channel's entries in the batch, to be acknowledged once all of them are processed. */
  lastEntryId: string;
  /** Whether the channel has more unread entries after these. */
  hasMore: boolean;
  hasGap: boolean;
}

export interface UnreadEverywhere {
  /**
   * Entries that mention the nick in use come first; then channel by channel. Within both the oldest first, by arrival.
   */
  entries: UnreadEntry[];
  channels: UnreadChannel[];
  /** Whether there are more unread entries, in these channels or in others. */
  hasMore: boolean;
  isTruncated: boolean;
}

/** The rest of the answer's limits, to be divided among the remaining channels. */
interface Left {
  entries: number;
  bytes: number;
}

/**
 * Returns the session's next unread entries of all enabled channels, the same until they are acknowledged, channel by
 * channel. Each channel gets an equal share of the answer; unused shares go to the others.
 * @throws ConnectorError session_unknown
 */
export async function readUnreadEverywhere(
  context: ServiceContext,
  caller: Caller,
  { sessionId, limit }: { sessionId: string; limit: number },
): Promise<UnreadEverywhere> {
  const account = await requireAccount(context, caller.accountId);
  const reader = { ...caller, sessionId: await requireSession(context, caller, sessionId) };
  const waiting = await context.store.agentCursors.waiting(reader, enabledChannels(account));
  const now = waiting.slice(0, Math.min(limit, UNREAD_CHANNELS_AT_ONCE)).sort(byUnreadCount);
  const left: Left = { entries: limit, bytes: ANSWER_MAX_BYTES };
  const asked = now.map(({ channel }) => channel);
  const batches = await context.store.agentCursors.nextBatches(reader, asked, (index, before) => {
    if (before !== undefined) take(left, before);
    // Each channel gives at least one entry, however long; channels without room come in a later answer.
    return left.bytes <= 0 ? undefined : shareOf(left, now.length - index);
  });
  const isTruncated = batches.length < now.length || batches.some((batch) => batch.isTruncated);
  const nick = await nickInUse(context, account);
  const found = new Map<string, { entries: UnreadEntry[]; channel: UnreadChannel }>();
  for (const [index, channel] of asked.entries()) {
    const { entries = [], hasMore = false, hasGap = false } = batches[index] ?? {};
    const last = entries.at(-1);
    if (last === undefined) continue;
    const marked = markMentions(entries, nick, account);
    found.set(channel, { entries: marked, channel: { channel, lastEntryId: last.entryId, hasMore, hasGap } });
  }
  // Shares were given to the channels with the fewest first; readers get the channels in their usual order.
  const inOrder = enabledChannels(account).flatMap((channel) => found.get(channel) ?? []);
  const entries = inOrder.flatMap((one) => one.entries);
  const channels = inOrder.map(({ channel }) => channel);
  return {
    entries: [...entries.filter(({ isMention }) => isMention), ...entries.filter(({ isMention }) => !isMention)],
    channels,
    hasMore: isTruncated || waiting.length > now.length || channels.some(({ hasMore }) => hasMore),
    isTruncated,
  };
}

/** The fewest first: their unused shares go to the others. */
const byUnreadCount = (a: WaitingChannel, b: WaitingChannel): number => a.unreadCount - b.unreadCount;

/** An equal share of what is left, for one of so many channels. */
function shareOf({ entries, bytes }: Left, sharers: number): BatchBounds {
  return {
    limit: Math.max(1, Math.floor(entries / sharers)),
    cut: (some) => fittingEntries(some, bytes / sharers),
  };
}

function take(left: Left, { entries }: UnreadBatch): void {
  left.entries -= entries.length;
  left.bytes -= Buffer.byteLength(JSON.stringify(entries));
}
