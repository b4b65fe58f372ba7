import type { Account, Caller } from '../domain/account.ts';
import type { Entry } from '../domain/entry.ts';
import { SEARCH_WAIT_MAX_MS, SEARCHES_OF_ACCOUNT_AT_ONCE, SEARCHES_OF_ACCOUNT_WAITING } from '../domain/limits.ts';
import type { Network } from '../domain/network.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { VerifiedToken } from '../domain/verified-token.ts';
import { accountBusy } from '../errors.ts';
import { PlacesByKey } from '../places-by-key.ts';
import type { CursorPosition } from '../ports/agent-cursor-store.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { Identity } from '../ports/identity-provider.ts';
import { type AccountInformation, accountInformation } from './account-information.ts';
import { type ChangedNick, changeNick } from './change-nick.ts';
import { chooseNetwork, type NetworkChoice, networks } from './choose-network.ts';
import { type ConnectionStatus, connectionStatus } from './connection-status.ts';
import type { ServiceContext } from './context.ts';
import { deleteHistory, isHistoryBeingDeleted } from './delete-history.ts';
import { type Diagnostics, type DiagnosticsRequest, diagnostics } from './diagnostics.ts';
import { enableChannels } from './enable-channels.ts';
import { type ExportRequest, exportHistory } from './export-history.ts';
import { finishRemovals } from './finish-removals.ts';
import { type Invitation, invite, replaceGrants } from './invite.ts';
import { type IrcStatus, ircStatus } from './irc-status.ts';
import { isOwner } from './is-owner.ts';
import { keyLogins } from './key-logins.ts';
import { type AgentAccess, agents } from './list-agents.ts';
import { type PeoplePage, type PeopleRequest, type PersonAccess, people, person, requireOwner } from './list-people.ts';
import {
  endSubscription,
  type SubscriptionView,
  subscriptions,
  type UnsubscribeRequest,
  unsubscribe,
} from './list-subscriptions.ts';
import { messageStatus } from './message-status.ts';
import {
  clearNetworkLogin,
  enterNetworkLogin,
  makeLoginCertificate,
  type NetworkLogins,
  networkLogins,
  tryNetworkLogin,
} from './network-login.ts';
import { createPersonalToken, type NewToken, type TokenRequest, verifyPersonalToken } from './personal-tokens.ts';
import { postMessage } from './post-message.ts';
import { type HistoryPage, type HistoryRequest, readHistory } from './read-history.ts';
import { recentActivity } from './recent-activity.ts';
import { reconcileGrants } from './reconcile-grants.ts';
import { removeAccount } from './remove-account.ts';
import { renameAgent } from './rename-agent.ts';
import { requireAccount } from './require-account.ts';
import { revokeAgent } from './revoke-agent.ts';
import { type SearchRequest, type SearchResult, searchHistory } from './search-history.ts';
import { type SendRequest, sendMessage } from './send-message.ts';
import { signIn } from './sign-in.ts';
import { type SubscribeRequest, type SubscriptionGrant, subscribe } from './subscribe.ts';
import { type AcknowledgeRequest, acknowledge, readUnread, type UnreadPage, type UnreadRequest } from './unread.ts';
import { readUnreadEverywhere, type UnreadEverywhere } from './unread-everywhere.ts';

/** The use cases, as the edges (MCP, pages, administration) call them. */
export interface Services {
  account(accountId: string): Promise<Account>;
  isOwner(account: Account): boolean;
  signIn(identity: Identity): Promise<Account>;
  invite(invitation: Invitation): Promise<Account>;
  /** Grants exactly these channels to a person with an account; owners keep every channel. */
  replaceGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** People who have an account, a page at a time. Only for owners: call `requireOwner` first. */
  people(request?: PeopleRequest): Promise<PeoplePage>;
  /** One person. Only for owners: call `requireOwner` first. */
  person(accountId: string): Promise<PersonAccess>;
  requireOwner(accountId: string): Promise<Account>;
  /** Activity and connections of all accounts. Only for owners, and where the configuration allows it. */
  diagnostics(request: DiagnosticsRequest): Promise<Diagnostics>;
  /** Returns false if the bouncer will follow later. */
  enableChannels(accountId: string, channels: readonly string[]): Promise<boolean>;
  /** Changes the account's nick; asks the network for it, too, while the account is online. */
  changeNick(accountId: string, nick: string): Promise<ChangedNick>;
  /** The networks that the person may choose among, the usual one first. */
  networks(accountId: string): Promise<NetworkChoice[]>;
  /** Returns false if the bouncer will follow later. */
  chooseNetwork(accountId: string, name: string): Promise<boolean>;
  /** Logins entered for networks, without passwords; answered at once from what is known. */
  networkLogins(accountId: string): Promise<NetworkLogins>;
  /** Stores a password for the network that the person has seen, and tries it. */
  enterNetworkLogin(accountId: string, login: { seen: Network; name: string; password: string }): Promise<void>;
  tryNetworkLogin(accountId: string, loginId: string): Promise<void>;
  /** Returns false if the bouncer will forget the login later. */
  clearNetworkLogin(accountId: string, loginId: string): Promise<boolean>;
  /** Makes a certificate for the network that the person has seen. */
  makeLoginCertificate(accountId: string, seen: Network): Promise<void>;
  /** Yields JSON Lines, in pieces of whole lines. */
  exportHistory(request: ExportRequest): AsyncIterable<string>;
  /** Deletes the history in the background; a replay does not store it again. */
  deleteHistory(accountId: string): Promise<void>;
  isHistoryBeingDeleted(accountId: string): Promise<boolean>;
  /** Ends a person's access and removes their data. Only for owners: call `requireOwner` first. */
  removeAccount(accountId: string): Promise<void>;
  /** Removes the rest of the data of people who were removed. */
  finishRemovals(signal: AbortSignal): Promise<void>;
  /** The clients that have a person's consent, the last used one first. */
  agents(accountId: string): Promise<AgentAccess[]>;
  /** Ends all access of a client to the account. Returns false if it has no such consent. */
  revokeAgent(accountId: string, consentId: string): Promise<boolean>;
  renameAgent(accountId: string, consentId: string, name: string | null): Promise<boolean>;
  allowsPersonalTokens(): boolean;
  createPersonalToken(accountId: string, request: TokenRequest): Promise<NewToken>;
  /** Undefined for a token that has ended, or while owners do not allow any. */
  verifyPersonalToken(token: string): Promise<VerifiedToken | undefined>;
  /** A person's own presence on IRC; answered at once from what is known. */
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
  /** Sends a message within the rate of the REST interface. */
  postMessage(caller: Caller, request: { channel: string; text: string }): Promise<OutgoingMessage>;
  recentActivity(
    caller: Caller,
    request: { channel: string; limit: number },
  ): Promise<{ channel: string; entries: Entry[] }>;
  connectionStatus(caller: Caller): Promise<ConnectionStatus>;
  messageStatus(caller: Caller, messageId: string): Promise<OutgoingMessage>;
  /** Creates or renews a subscription to mentions. */
  subscribe(caller: Caller, request: SubscribeRequest): Promise<SubscriptionGrant>;
  unsubscribe(caller: Caller, request: UnsubscribeRequest): Promise<void>;
  /** The subscriptions of all clients of the account, the oldest first. */
  subscriptions(accountId: string): Promise<SubscriptionView[]>;
  /** Returns false if the account has no such subscription. */
  endSubscription(accountId: string, subscriptionId: string): Promise<boolean>;
  /** Applies the configuration to the accounts. It is called before the first request is served, and after a reload. */
  prepare(): Promise<void>;
}

const SEARCH_LINE = { max: SEARCHES_OF_ACCOUNT_WAITING, waitMaxMs: SEARCH_WAIT_MAX_MS, refusal: accountBusy };

export function createServices(context: ServiceContext): Services {
  const { presence } = context;
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
    networkLogins: (accountId) => networkLogins(context, accountId),
    enterNetworkLogin: (accountId, login) => enterNetworkLogin(context, accountId, login),
    tryNetworkLogin: (accountId, loginId) => tryNetworkLogin(context, accountId, loginId),
    clearNetworkLogin: (accountId, loginId) => clearNetworkLogin(context, accountId, loginId),
    makeLoginCertificate: (accountId, seen) => makeLoginCertificate(context, accountId, seen),
    exportHistory: (request) => exportHistory(context, request),
    deleteHistory: (accountId) => deleteHistory(context, accountId),
    isHistoryBeingDeleted: (accountId) => isHistoryBeingDeleted(context, accountId),
    removeAccount: (accountId) => removeAccount(context, accountId),
    finishRemovals: (signal) => finishRemovals(context, signal),
    agents: (accountId) => agents(context, accountId),
    renameAgent: (accountId, consentId, name) => renameAgent(context, accountId, consentId, name),
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
    postMessage: (caller, request) => postMessage(context, caller, request),
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
      // Tokens are refused from now on; subscriptions made with them would go on for a month.
      if (context.settings.personalTokens !== true) await context.store.subscriptions.endOfPersonalTokens();
    },
  };
}
