import type { Account, Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { CursorPosition } from '../ports/agent-cursors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { Identity } from '../ports/identity-provider.ts';
import { Presences } from '../presence/presences.ts';
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
  /** How busy the accounts are at the moment. */
  levels(): ReturnType<Presences['levels']>;
  /** Applies the configuration to the accounts. Call it before anybody may ask for anything. */
  prepare(): Promise<void>;
  /** Resumes the sessions of the accounts that are online. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createServices(context: ServiceContext): Services {
  const sessions = new Presences(context);
  const rates = new PostRates();
  return {
    account: (accountId) => requireAccount(context, accountId),
    isOwner: ({ login }) => isOwner(context, login),
    signIn: (identity) => signIn(context, identity),
    invite: (invitation) => invite(context, sessions, invitation),
    enableChannels: (accountId, channels) => enableChannels(context, sessions, accountId, channels),
    accountInformation: (caller, sessionId) => accountInformation(context, sessions, caller, sessionId),
    goOnline: (caller) => sessions.of(caller.accountId).goOnline(),
    goOffline: (caller) => sessions.of(caller.accountId).goOffline(),
    readHistory: (caller, request) => readHistory(context, caller, request),
    readUnread: (caller, request) => readUnread(context, sessions, caller, request),
    acknowledge: (caller, request) => acknowledge(context, caller, request),
    searchHistory: (caller, request) => searchHistory(context, caller, request),
    sendMessage: (caller, request) => sendMessage(context, sessions, caller, request),
    postMessage: (caller, request) => postMessage(context, sessions, rates, caller, request),
    recentActivity: (caller, request) => recentActivity(context, caller, request),
    connectionStatus: (caller) => connectionStatus(context, sessions, caller),
    messageStatus: (caller, messageId) => messageStatus(context, caller, messageId),
    levels: () => sessions.levels(),
    prepare: () => reconcileGrants(context),
    start: () => sessions.resumeAll(),
    close: () => sessions.close(),
  };
}
