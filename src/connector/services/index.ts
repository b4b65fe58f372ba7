import type { Account, Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { CursorPosition } from '../ports/agent-cursors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { Identity } from '../ports/identity-provider.ts';
import { type AccountInformation, accountInformation } from './account-information.ts';
import { type ConnectionStatus, connectionStatus } from './connection-status.ts';
import type { ServiceContext } from './context.ts';
import { enableChannels } from './enable-channels.ts';
import { type Invitation, invite } from './invite.ts';
import { isOwner } from './is-owner.ts';
import { messageStatus } from './message-status.ts';
import { PostRates, postMessage } from './post-message.ts';
import { type HistoryPage, type HistoryRequest, readHistory } from './read-history.ts';
import { recentActivity } from './recent-activity.ts';
import { reconcileGrants } from './reconcile-grants.ts';
import { requireAccount } from './require-account.ts';
import { type SearchRequest, searchHistory } from './search-history.ts';
import { type SendRequest, sendMessage } from './send-message.ts';
import { signIn } from './sign-in.ts';
import { type AcknowledgeRequest, acknowledge, readUnread, type UnreadPage, type UnreadRequest } from './unread.ts';

/** The use cases, as the edges (MCP, pages, administration) see them. */
export interface Services {
  account(accountId: string): Promise<Account>;
  isOwner(account: Account): boolean;
  signIn(identity: Identity): Promise<Account>;
  invite(invitation: Invitation): Promise<Account>;
  /** False when the bouncer will follow later. */
  enableChannels(accountId: string, channels: readonly string[]): Promise<boolean>;
  accountInformation(caller: Caller, sessionId?: string): Promise<AccountInformation>;
  goOnline(caller: Caller): Promise<UpstreamState>;
  goOffline(caller: Caller): Promise<void>;
  readHistory(caller: Caller, request: HistoryRequest): Promise<HistoryPage & { channel: string }>;
  readUnread(caller: Caller, request: UnreadRequest): Promise<UnreadPage>;
  acknowledge(caller: Caller, request: AcknowledgeRequest): Promise<CursorPosition & { channel: string }>;
  searchHistory(caller: Caller, request: SearchRequest): Promise<HistoryPage>;
  sendMessage(caller: Caller, request: SendRequest): Promise<OutgoingMessage>;
  /** Sends within the rate of the REST interface. */
  postMessage(caller: Caller, request: { channel: string; text: string }): Promise<OutgoingMessage>;
  recentActivity(
    caller: Caller,
    request: { channel: string; limit: number },
  ): Promise<{ channel: string; entries: Entry[] }>;
  connectionStatus(caller: Caller): Promise<ConnectionStatus>;
  messageStatus(caller: Caller, messageId: string): Promise<OutgoingMessage>;
  /** Applies the configuration to the accounts. Call it before anybody may ask for anything. */
  prepare(): Promise<void>;
}

export function createServices(context: ServiceContext): Services {
  const { presence } = context;
  const rates = new PostRates();
  return {
    account: (accountId) => requireAccount(context, accountId),
    isOwner: ({ login }) => isOwner(context, login),
    signIn: (identity) => signIn(context, identity),
    invite: (invitation) => invite(context, invitation),
    enableChannels: (accountId, channels) => enableChannels(context, accountId, channels),
    accountInformation: (caller, sessionId) => accountInformation(context, caller, sessionId),
    goOnline: (caller) => presence.goOnline(caller.accountId),
    goOffline: (caller) => presence.goOffline(caller.accountId),
    readHistory: (caller, request) => readHistory(context, caller, request),
    readUnread: (caller, request) => readUnread(context, caller, request),
    acknowledge: (caller, request) => acknowledge(context, caller, request),
    searchHistory: (caller, request) => searchHistory(context, caller, request),
    sendMessage: (caller, request) => sendMessage(context, caller, request),
    postMessage: (caller, request) => postMessage(context, rates, caller, request),
    recentActivity: (caller, request) => recentActivity(context, caller, request),
    connectionStatus: (caller) => connectionStatus(context, caller),
    messageStatus: (caller, messageId) => messageStatus(context, caller, messageId),
    prepare: () => reconcileGrants(context),
  };
}
