import { type Account, type Caller, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import type { Entry } from '../domain/entry.ts';
import { type Network, networkOf } from '../domain/network.ts';
import type { CursorPosition } from '../ports/agent-cursor-store.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { ServiceContext } from './context.ts';
import { type MentionEvents, mentionEvents } from './list-subscriptions.ts';
import { requireAccount, requireSession } from './require-account.ts';
import { upstreamState } from './upstream-state.ts';

/** @spec connector#account-information-result-see_account_information */
export interface AccountInformation {
  account: Account;
  sessionId: string;
  /** The nick in use, which may differ from the account's while another person holds that one. */
  nick: string;
  /** The network that the account is on while it is online. */
  network: Network;
  channels: ({ channel: string; isJoined: boolean; notJoinedReason: string | null } & CursorPosition)[];
  /** Start of the present session with the bouncer, milliseconds since 1970; null without a session. */
  onlineSince: number | null;
  upstreamConnected: UpstreamState;
  /** The account at the IRC network, as the network reports it; null if it does not. */
  loggedInAs: string | null;
  /** Problems with the connection, the login or the completeness of history, as sentences; usually empty. */
  problems: string[];
  lastReceived: Entry | undefined;
  /** The subscriptions of the calling client. */
  mentionEvents: MentionEvents;
}

/** Starts or resumes the caller's agent session. @throws ConnectorError session_unknown */
export async function accountInformation(
  context: ServiceContext,
  caller: Caller,
  sessionId?: string,
): Promise<AccountInformation> {
  const { store, presence } = context;
  const account = await requireAccount(context, caller.accountId);
  const channels = enabledChannels(account);
  const agentSession = await agentSessionOf(context, caller, sessionId);
  const positions = await store.agentCursors.positions({ ...caller, sessionId: agentSession }, channels);
  const status = await presence.status(caller.accountId);
  const joined = status?.joinedChannels ?? [];
  return {
    account,
    sessionId: agentSession,
    nick: status?.nick ?? account.nick,
    network: networkOf(account.network, context.settings),
    channels: channels.map((channel) => ({
      channel,
      isJoined: resolveChannel(channel, joined, account.casemapping) !== undefined,
      notJoinedReason: status?.notJoined[channel] ?? null,
      ...(positions.get(channel) ?? { unreadCount: 0, lastAcknowledgedEntryId: null }),
    })),
    onlineSince: account.isOnline ? (status?.sessionSince ?? null) : null,
    upstreamConnected: await upstreamState(context, account, status),
    loggedInAs: status?.loggedInAs ?? null,
    problems: [...(status?.problems ?? [])],
    lastReceived: await store.entries.newestReceived(caller.accountId, channels),
    mentionEvents: await mentionEvents(context, caller),
  };
}

async function agentSessionOf(context: ServiceContext, caller: Caller, sessionId?: string): Promise<string> {
  if (sessionId === undefined) return context.store.agentSessions.create(caller.accountId, caller.clientId);
  return requireSession(context, caller, sessionId);
}
