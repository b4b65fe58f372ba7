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
  /** The account at the IRC network, as the network reports it; null if it does not. */
  loggedInAs: string | null;
}

/**
 * Whether the account is connected, and its channels.
 * @throws ConnectorError bouncer_unreachable when the bouncer does not answer
 */
export async function connectionStatus(context: ServiceContext, { accountId }: Caller): Promise<ConnectionStatus> {
  const account = await requireAccount(context, accountId);
  const status = await context.presence.status(accountId);
  const upstream = status === undefined ? await askBouncer(context, account) : stateOf(status);
  const enabled = enabledChannels(account);
  const joined = status?.joinedChannels ?? [];
  return {
    // An unknown state counts as not connected: callers should not rely on such a network.
    isConnected: upstream === true,
    joinedChannels: enabled.filter((channel) => resolveChannel(channel, joined, account.casemapping) !== undefined),
    enabledChannels: enabled,
    loggedInAs: status?.loggedInAs ?? null,
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
