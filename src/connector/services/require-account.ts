import { type Account, type Caller, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { accountRemoved, ConnectorError, channelNotEnabled, sessionUnknown } from '../errors.ts';
import type { ServiceContext } from './context.ts';

/**
 * The account that the caller's token or session names.
 * @throws ConnectorError account_removed if it was removed since the token was checked
 */
export async function requireAccount({ store }: ServiceContext, accountId: string): Promise<Account> {
  const account = await store.accounts.find(accountId);
  if (account === undefined) throw accountRemoved();
  return account;
}

/**
 * The enabled channel that the caller means.
 * @throws ConnectorError channel_not_enabled, the same whether it exists or not
 */
export function requireChannel(account: Account, written: string): string {
  const channel = resolveChannel(written, enabledChannels(account), account.casemapping);
  if (channel === undefined) throw channelNotEnabled(written.startsWith('#') ? written : `#${written}`);
  return channel;
}

/**
 * The enabled channel that a path names. Paths leave out the leading `#`; `written` has it again.
 * @throws ConnectorError channel_not_enabled, channel_invalid where the path has the `#` of an enabled channel
 */
export function requirePathChannel(account: Account, written: string): string {
  const named = written.slice(1);
  const isMarked =
    resolveChannel(written, enabledChannels(account), account.casemapping) === undefined && named.startsWith('#');
  if (isMarked && resolveChannel(named, enabledChannels(account), account.casemapping) !== undefined) {
    throw new ConnectorError('channel_invalid', `the path names ${named} with its leading #: leave that out`);
  }
  return requireChannel(account, written);
}

/**
 * The caller's own live session, whose life this call extends.
 * @throws ConnectorError session_unknown, the same whether it exists or not
 */
export async function requireSession({ store }: ServiceContext, caller: Caller, sessionId: string): Promise<string> {
  if (await store.agentSessions.touch(sessionId, caller.accountId, caller.clientId)) return sessionId;
  throw sessionUnknown();
}
