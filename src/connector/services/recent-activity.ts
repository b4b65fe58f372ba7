import type { Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount, requirePathChannel } from './require-account.ts';

/**
 * Returns the newest entries of an enabled channel, newest first.
 * @throws ConnectorError channel_not_enabled, channel_invalid
 */
export async function recentActivity(
  context: ServiceContext,
  { accountId }: Caller,
  { channel: written, limit }: { channel: string; limit: number },
): Promise<{ channel: string; entries: Entry[] }> {
  const channel = requirePathChannel(await requireAccount(context, accountId), written);
  return { channel, entries: await context.store.history.newestFirst(accountId, { channels: [channel], limit }) };
}
