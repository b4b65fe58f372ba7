import type { Account, Caller } from '../domain/account.ts';
import { fittingEntries } from '../domain/answer-size.ts';
import type { Entry } from '../domain/entry.ts';
import { mentionsNick } from '../domain/mention.ts';
import { ConnectorError } from '../errors.ts';
import type { CursorPosition, UnreadBatch } from '../ports/agent-cursor-store.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requireChannel, requireSession } from './require-account.ts';

export interface UnreadRequest {
  channel: string;
  sessionId: string;
  limit: number;
}

export interface AcknowledgeRequest {
  channel: string;
  sessionId: string;
  /** The last entry that was processed. */
  entryId: string;
}

export interface UnreadEntry extends Entry {
  /** Whether it mentions the nick in use. */
  isMention: boolean;
}

export interface UnreadPage extends UnreadBatch {
  channel: string;
  entries: UnreadEntry[];
}

/**
 * Returns the session's next unread entries of a channel, the same until they are acknowledged.
 * @throws ConnectorError channel_not_enabled, session_unknown
 */
export async function readUnread(
  context: ServiceContext,
  caller: Caller,
  { channel: written, sessionId, limit }: UnreadRequest,
): Promise<UnreadPage> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, written);
  const reader = { ...caller, sessionId: await requireSession(context, caller, sessionId) };
  const cut = (entries: readonly Entry[]) => fittingEntries(entries);
  const batch = await context.store.agentCursors.nextBatch(reader, channel, { limit, cut });
  return { ...batch, channel, entries: markMentions(batch.entries, await nickInUse(context, account), account) };
}

/** @param nick the nick in use */
export const markMentions = (entries: readonly Entry[], nick: string, account: Account): UnreadEntry[] =>
  entries.map((entry) => ({ ...entry, isMention: isMention(entry, nick, account) }));

/**
 * Marks the session's entries of a channel as processed, up to and including this one; repeating the call has no
 * effect.
 * @throws ConnectorError channel_not_enabled, session_unknown, entry_unknown
 */
export async function acknowledge(
  context: ServiceContext,
  caller: Caller,
  { channel: written, sessionId, entryId }: AcknowledgeRequest,
): Promise<CursorPosition & { channel: string }> {
  const { agentCursors } = context.store;
  const channel = requireChannel(await requireAccount(context, caller.accountId), written);
  const reader = { ...caller, sessionId: await requireSession(context, caller, sessionId) };
  if (!(await agentCursors.acknowledge(reader, channel, entryId))) {
    throw new ConnectorError(
      'entry_unknown',
      `this entry_id was not delivered to this session as unread in ${channel}: call read_history in unread mode and take the entryId of the last entry you processed`,
    );
  }
  const position = (await agentCursors.positions(reader, [channel])).get(channel);
  return { channel, ...(position ?? { unreadCount: 0, lastAcknowledgedEntryId: entryId }) };
}

/** The nick of the running session; without a session, the account's own. */
export const nickInUse = async ({ presence }: ServiceContext, { accountId, nick }: Account): Promise<string> =>
  (await presence.status(accountId))?.nick ?? nick;

/** A kick names its victim in `target`, which counts as well as the text. */
const isMention = ({ text, target }: Entry, nick: string, { casemapping }: Account): boolean =>
  [text, target ?? ''].some((words) => mentionsNick(words, nick, casemapping));
