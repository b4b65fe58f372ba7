import { type Caller, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { AccountSessions } from './account-sessions.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';
import { upstreamState } from './upstream-state.ts';

/** @spec connector#get-v1status-result */
export interface ConnectionStatus {
  isConnected: boolean;
  joinedChannels: string[];
  enabledChannels: string[];
}

/** Whether the account is connected, and where it is. @throws ConnectorError bouncer_unreachable when that can't be told */
export async function connectionStatus(
  context: ServiceContext,
  sessions: AccountSessions,
  caller: Caller,
): Promise<ConnectionStatus> {
  const account = await requireAccount(context, caller.accountId);
  const { live } = sessions.of(caller.accountId);
  const isConnected = await upstreamState(context, account, live?.upstream);
  if (isConnected === null) throw bouncerUnreachable(new Error('the upstream state could not be told'));
  const enabled = enabledChannels(account);
  const joined = live?.joinedChannels ?? [];
  return {
    isConnected,
    joinedChannels: enabled.filter((channel) => resolveChannel(channel, joined) !== undefined),
    enabledChannels: enabled,
  };
}
