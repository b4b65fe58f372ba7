import type { Account, Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import { SEARCH_WAIT_MAX_MS, SEARCHES_OF_ACCOUNT_AT_ONCE, SEARCHES_OF_ACCOUNT_WAITING } from '../domain/limits.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { VerifiedToken } from '../domain/verified-token.ts';
import { accountBusy } from '../errors.ts';
import { PlacesByKey } from '../places-by-key.ts';
import type { CursorPosition } from '../ports/agent-cursors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { Identity } from '../ports/identity-provider.ts';
import { type AccountInformation, accountInformation } from './account-information.ts';
import { type AgentAccess, agents } from './agents.ts';
import { type ChangedNick, changeNick } from './change-nick.ts';
import { chooseNetwork, type NetworkChoice, networks } from './choose-network.ts';
import { type ConnectionStatus, connectionStatus } from './connection-status.ts';
import type { ServiceContext } from './context.ts';
import { deleteHistory, isHistoryBeingDeleted } from './delete-history.ts';
import { type Diagnostics, type DiagnosticsRequest, diagnostics } from './diagnostics.ts';
import { Downloads } from './downloads.ts';
import { enableChannels } from './enable-channels.ts';
import { type ExportRequest, exportHistory } from './export-history.ts';
import { finishRemovals } from './finish-removals.ts';
import { type Invitation, invite, replaceGrants } from './invite.ts';
import { type IrcStatus, ircStatus } from './irc-status.ts';
import { isOwner } from './is-owner.ts';
import { keyLogins } from './key-logins.ts';
import { messageStatus } from './message-status.ts';
import { type PeoplePage, type PeopleRequest, type PersonAccess, people, person, requireOwner } from './people.ts';
import { createPersonalToken, type NewToken, type TokenRequest, verifyPersonalToken } from './personal-tokens.ts';
import { PostRates, postMessage } from './post-message.ts';
import { type HistoryPage, type HistoryRequest, readHistory } from './read-history.ts';
import { recentActivity } from './recent-activity.ts';
import { reconcileGrants } from './reconcile-grants.ts';
import { removeAccount } from './remove-account.ts';
import { requireAccount } from './require-account.ts';
import { revokeAgent } from './revoke-agent.ts';
import { type SearchRequest, type SearchResult, searchHistory } from './search-history.ts';
import { type SendRequest, sendMessage } from './send-message.ts';
import { signIn } from './sign-in.ts';
import { type SubscribeRequest, type SubscriptionGrant, subscribe } from './subscribe.ts';
import {
  endSubscription,
  type SubscriptionView,
  subscriptions,
  type UnsubscribeRequest,
  unsubscribe,
} from './subscriptions.ts';
import { type AcknowledgeRequest, acknowledge, readUnread, type UnreadPage, type UnreadRequest } from './unread.ts';
import { readUnreadEverywhere, type UnreadEverywhere } from './unread-everywhere.ts';

/** The use cases, as the edges (MCP, pages, administration) see them. */
export interface Services {
  account(accountId: string): Promise<Account>;
  isOwner(account: Account): boolean;
  signIn(identity: Identity): Promise<Account>;
  invite(invitation: Invitation): Promise<Account>;
  /** For somebody who has an account; owners keep every channel. */
  replaceGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Those who have an account, a page at a time. Only for owners: call `requireOwner` first. */
  people(request?: PeopleRequest): Promise<PeoplePage>;
  /** One of them. Only for owners: call `requireOwner` first. */
  person(accountId: string): Promise<PersonAccess>;
  requireOwner(accountId: string): Promise<Account>;
  /** What everybody does. Only for owners, and where the configuration allows it. */
  diagnostics(request: DiagnosticsRequest): Promise<Diagnostics>;
  /** False when the bouncer will follow later. */
  enableChannels(accountId: string, channels: readonly string[]): Promise<boolean>;
  /** Asks the network for it, too, while the account is online. */
  changeNick(accountId: string, nick: string): Promise<ChangedNick>;
  /** The networks that the person may choose among, the usual one first. */
  networks(accountId: string): Promise<NetworkChoice[]>;
  /** False when the bouncer will follow later. */
  chooseNetwork(accountId: string, name: string): Promise<boolean>;
  /** JSON Lines, in pieces of whole lines. */
  exportHistory(request: ExportRequest): AsyncIterable<string>;
  /** In the background; nothing of it is stored again. */
  deleteHistory(accountId: string): Promise<void>;
  isHistoryBeingDeleted(accountId: string): Promise<boolean>;
  /** Ends a person's access and removes what is kept of them. Only for owners: call `requireOwner` first. */
  removeAccount(accountId: string): Promise<void>;
  /** Clears away what is left of people who were removed. */
  finishRemovals(signal: AbortSignal): Promise<void>;
  /** The clients that a person allows something, the last used one first. */
  agents(accountId: string): Promise<AgentAccess[]>;
  /** Ends all that a client may do for the account; false when it has no such consent. */
  revokeAgent(accountId: string, consentId: string): Promise<boolean>;
  allowsPersonalTokens(): boolean;
  createPersonalToken(accountId: string, request: TokenRequest): Promise<NewToken>;
  /** Undefined for one that has ended, or while no owner allows any. */
  verifyPersonalToken(token: string): Promise<VerifiedToken | undefined>;
  /** What a person sees of their own presence; known at once. */
  ircStatus(accountId: string): Promise<IrcStatus>;
  accountInformation(caller: Caller, sessionId?: string): Promise<AccountInformation>;
  goOnline(of: Partial<Caller> & Pick<Caller, 'accountId'>): Promise<UpstreamState>;
  goOffline(of: Partial<Caller> & Pick<Caller, 'accountId'>): Promise<void>;
  readHistory(caller: Caller, request: HistoryRequest): Promise<HistoryPage & { channel: string }>;
  readUnread(caller: Caller, request: UnreadRequest): Promise<UnreadPage>;
  readUnreadEverywhere(caller: Caller, request: { sessionId: string; limit: number }): Promise<UnreadEverywhere>;
  acknowledge(caller: Caller, request: AcknowledgeRequest): Promise<CursorPosition & { channel: string }>;
  searchHistory(caller: Caller, request: SearchRequest): Promise<HistoryPage<SearchResult>>;
  sendMessage(caller: Caller, request: SendRequest): Promise<OutgoingMessage>;
  /** Sends within the rate of the REST interface. */
  postMessage(caller: Caller, request: { channel: string; text: string }): Promise<OutgoingMessage>;
  recentActivity(
    caller: Caller,
    request: { channel: string; limit: number },
  ): Promise<{ channel: string; entries: Entry[] }>;
  connectionStatus(caller: Caller): Promise<ConnectionStatus>;
  messageStatus(caller: Caller, messageId: string): Promise<OutgoingMessage>;
  /** Tells the client of mentions from now on, or for longer. */
  subscribe(caller: Caller, request: SubscribeRequest): Promise<SubscriptionGrant>;
  unsubscribe(caller: Caller, request: UnsubscribeRequest): Promise<void>;
  /** Those of all clients of the account, the oldest first. */
  subscriptions(accountId: string): Promise<SubscriptionView[]>;
  /** False when the account has no such subscription. */
  endSubscription(accountId: string, subscriptionId: string): Promise<boolean>;
  /** Applies the configuration to the accounts. Call it before anybody may ask for anything, and after a reload. */
  prepare(): Promise<void>;
}

const SEARCH_LINE = { max: SEARCHES_OF_ACCOUNT_WAITING, waitMaxMs: SEARCH_WAIT_MAX_MS, refusal: accountBusy };

export function createServices(context: ServiceContext): Services {
  const { presence } = context;
  const rates = new PostRates();
  const downloads = new Downloads();
  const searches = new PlacesByKey(SEARCHES_OF_ACCOUNT_AT_ONCE, SEARCH_LINE);
  return {
    account: (accountId) => requireAccount(context, accountId),
    isOwner: (account) => isOwner(context, account),
    signIn: (identity) => signIn(context, identity),
    invite: (invitation) => invite(context, invitation),
    replaceGrants: (accountId, channels) => replaceGrants(context, accountId, channels),
    people: (request) => people(context, request),
    person: (accountId) => person(context, accountId),
    requireOwner: (accountId) => requireOwner(context, accountId),
    diagnostics: (request) => diagnostics(context, request),
    enableChannels: (accountId, channels) => enableChannels(context, accountId, channels),
    changeNick: (accountId, nick) => changeNick(context, accountId, nick),
    networks: (accountId) => networks(context, accountId),
    chooseNetwork: (accountId, name) => chooseNetwork(context, accountId, name),
    exportHistory: (request) => exportHistory(context, downloads, request),
    deleteHistory: (accountId) => deleteHistory(context, downloads, accountId),
    isHistoryBeingDeleted: (accountId) => isHistoryBeingDeleted(context, accountId),
    removeAccount: (accountId) => removeAccount(context, downloads, accountId),
    finishRemovals: (signal) => finishRemovals(context, signal),
    agents: (accountId) => agents(context, accountId),
    revokeAgent: (accountId, consentId) => revokeAgent(context, accountId, consentId),
    allowsPersonalTokens: () => context.settings.personalTokens === true,
    createPersonalToken: (accountId, request) => createPersonalToken(context, accountId, request),
    verifyPersonalToken: (token) => verifyPersonalToken(context, token),
    ircStatus: (accountId) => ircStatus(context, accountId),
    accountInformation: (caller, sessionId) => accountInformation(context, caller, sessionId),
    goOnline: ({ accountId }) => presence.goOnline(accountId),
    goOffline: ({ accountId }) => presence.goOffline(accountId),
    readHistory: (caller, request) => readHistory(context, caller, request),
    readUnread: (caller, request) => readUnread(context, caller, request),
    readUnreadEverywhere: (caller, request) => readUnreadEverywhere(context, caller, request),
    acknowledge: (caller, request) => acknowledge(context, caller, request),
    searchHistory: (caller, request) => searches.use(caller.accountId, () => searchHistory(context, caller, request)),
    sendMessage: (caller, request) => sendMessage(context, caller, request),
    postMessage: (caller, request) => postMessage(context, rates, caller, request),
    recentActivity: (caller, request) => recentActivity(context, caller, request),
    connectionStatus: (caller) => connectionStatus(context, caller),
    messageStatus: (caller, messageId) => messageStatus(context, caller, messageId),
    subscribe: (caller, request) => subscribe(context, caller, request),
    unsubscribe: (caller, request) => unsubscribe(context, caller, request),
    subscriptions: (accountId) => subscriptions(context, accountId),
    endSubscription: (accountId, subscriptionId) => endSubscription(context, accountId, subscriptionId),
    prepare: async () => {
      await context.store.capture.nameNetwork(context.settings.network.name);
      await keyLogins(context);
      await reconcileGrants(context);
      // Tokens are refused now; what was asked for with them would go on for a month.
      if (context.settings.personalTokens !== true) await context.store.subscriptions.endOfPersonalTokens();
    },
  };
}
