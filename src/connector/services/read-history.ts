import type { Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requireChannel } from './require-account.ts';

export interface HistoryPage {
  channel: string;
  /** Newest first. */
  entries: Entry[];
  /** Whether older entries are retained. */
  hasMore: boolean;
}

/** The newest entries of an enabled channel. @throws ConnectorError channel_not_enabled */
export async function readHistory(
  context: ServiceContext,
  caller: Caller,
  { channel: written, limit }: { channel: string; limit: number },
): Promise<HistoryPage> {
  const account = await requireAccount(context, caller.accountId);
  const channel = requireChannel(account, written);
  const entries = await context.store.entries.recent(caller.accountId, channel, limit + 1);
  return { channel, entries: entries.slice(0, limit), hasMore: entries.length > limit };
}
