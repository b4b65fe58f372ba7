import { type Account, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { channelNotEnabled } from '../errors.ts';
import type { ServiceContext } from './context.ts';

/** The account of a caller whose token or session names it. */
export async function requireAccount({ store }: ServiceContext, accountId: string): Promise<Account> {
  const account = await store.accounts.find(accountId);
  if (account === undefined) throw new Error('a token or session names an account that does not exist');
  return account;
}

/** The enabled channel the caller means. @throws ConnectorError channel_not_enabled, the same whether it exists or not */
export function requireChannel(account: Account, written: string): string {
  const channel = resolveChannel(written, enabledChannels(account));
  if (channel === undefined) throw channelNotEnabled(written.startsWith('#') ? written : `#${written}`);
  return channel;
}
