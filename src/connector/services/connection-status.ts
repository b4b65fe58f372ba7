import { type Account, type Caller, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

/** @spec connector#get-v1status-result */
export interface ConnectionStatus {
  isConnected: boolean;
  joinedChannels: string[];
  enabledChannels: string[];
}

/** Whether the account is connected, and where it is. @throws ConnectorError bouncer_unreachable when the bouncer does not answer */
export async function connectionStatus(context: ServiceContext, { accountId }: Caller): Promise<ConnectionStatus> {
  const account = await requireAccount(context, accountId);
  const status = await context.presence.status(accountId);
  const upstream = status === undefined ? await askBouncer(context, account) : stateOf(status);
  const enabled = enabledChannels(account);
  const joined = status?.joinedChannels ?? [];
  return {
    // Nobody should rely on a network whose state is unknown.
    isConnected: upstream === true,
    joinedChannels: enabled.filter((channel) => resolveChannel(channel, joined) !== undefined),
    enabledChannels: enabled,
  };
}

function stateOf({ isAnswering, upstream }: PresenceStatus): UpstreamState {
  if (!isAnswering) throw bouncerUnreachable(new Error('no answer in time'));
  return upstream;
}

async function askBouncer({ store, bouncer }: ServiceContext, account: Account): Promise<UpstreamState> {
  if (!account.isOnline) return false;
  return bouncer.upstreamState(await store.accounts.bouncerUser(account.accountId));
}
