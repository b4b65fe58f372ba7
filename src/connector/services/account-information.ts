import { type Account, type Caller, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import type { Entry } from '../domain/entry.ts';
import { ConnectorError } from '../errors.ts';
import type { UpstreamState } from '../ports.ts';
import type { AccountSessions } from './account-sessions.ts';
import type { ServiceContext } from './context.ts';
import { requireAccount } from './require-account.ts';

/** @spec connector#account-information-result-see_account_information */
export interface AccountInformation {
  account: Account;
  sessionId: string;
  /** The nick in use, which may differ from the account's while another holds it. */
  nick: string;
  channels: { channel: string; isJoined: boolean; unreadCount: number }[];
  upstreamConnected: UpstreamState;
  lastReceived: Entry | undefined;
}

/** Starts or resumes the caller's agent session. @throws ConnectorError session_unknown */
export async function accountInformation(
  context: ServiceContext,
  sessions: AccountSessions,
  caller: Caller,
  sessionId?: string,
): Promise<AccountInformation> {
  const account = await requireAccount(context, caller.accountId);
  const { entries } = context.store;
  const channels = enabledChannels(account);
  const agentSession = await agentSessionOf(context, caller, sessionId);
  const unread = await entries.unreadCounts(caller.accountId, caller.clientId, channels);
  const { live } = sessions.of(caller.accountId);
  const joined = live?.joinedChannels ?? [];
  return {
    account,
    sessionId: agentSession,
    nick: live?.nick ?? account.nick,
    channels: channels.map((channel) => ({
      channel,
      isJoined: resolveChannel(channel, joined) !== undefined,
      unreadCount: unread.get(channel) ?? 0,
    })),
    upstreamConnected: await upstreamState(context, account, live?.upstream ?? null),
    lastReceived: await entries.newest(caller.accountId, channels),
  };
}

async function agentSessionOf({ store }: ServiceContext, caller: Caller, sessionId?: string): Promise<string> {
  if (sessionId === undefined) return store.agentSessions.create(caller.accountId, caller.clientId);
  if (await store.agentSessions.touch(sessionId, caller.accountId, caller.clientId)) return sessionId;
  throw new ConnectorError(
    'session_unknown',
    'unknown or expired session_id: call see_account_information without it to start a new session',
  );
}

/** What the live session says; without one the bouncer is asked, and null means that it could not tell. */
async function upstreamState(
  { store, bouncer }: ServiceContext,
  account: Account,
  live: UpstreamState,
): Promise<UpstreamState> {
  if (live !== null) return live;
  if (!account.isOnline) return false;
  return bouncer.upstreamState(await store.accounts.bouncerUser(account.accountId));
}
