import type { Caller } from '../domain/account.ts';
import { SEARCH_WAIT_MAX_MS, SEARCHES_OF_ACCOUNT_AT_ONCE, SEARCHES_OF_ACCOUNT_WAITING } from '../domain/limits.ts';
import { accountBusy } from '../errors.ts';
import { PlacesByKey } from '../places-by-key.ts';
import { accountInformation } from './account-information.ts';
import { changeNick } from './change-nick.ts';
import { chooseNetwork, networks } from './choose-network.ts';
import { connectionStatus } from './connection-status.ts';
import type { ServiceContext } from './context.ts';
import { deleteHistory, isHistoryBeingDeleted } from './delete-history.ts';
import { diagnostics } from './diagnostics.ts';
import { enableChannels } from './enable-channels.ts';
import { exportHistory } from './export-history.ts';
import { finishRemovals } from './finish-removals.ts';
import { invite, replaceGrants } from './invite.ts';
import { ircStatus } from './irc-status.ts';
import { isOwner } from './is-owner.ts';
import { keyLogins } from './key-logins.ts';
import { agents } from './list-agents.ts';
import { people, person, requireOwner } from './list-people.ts';
import { endSubscription, subscriptions, unsubscribe } from './list-subscriptions.ts';
import { messageStatus } from './message-status.ts';
import {
  clearNetworkLogin,
  enterNetworkLogin,
  makeLoginCertificate,
  networkLogins,
  tryNetworkLogin,
} from './network-login.ts';
import { createPersonalToken, verifyPersonalToken } from './personal-tokens.ts';
import { postMessage } from './post-message.ts';
import { readHistory } from './read-history.ts';
import { recentActivity } from './recent-activity.ts';
import { reconcileGrants } from './reconcile-grants.ts';
import { removeAccount } from './remove-account.ts';
import { renameAgent } from './rename-agent.ts';
import { requireAccount } from './require-account.ts';
import { revokeAgent } from './revoke-agent.ts';
import { searchHistory } from './search-history.ts';
import { sendMessage } from './send-message.ts';
import { signIn } from './sign-in.ts';
import { subscribe } from './subscribe.ts';
import { acknowledge, readUnread } from './unread.ts';
import { readUnreadEverywhere } from './unread-everywhere.ts';

/** All use cases. Each takes the context first. */
const useCases = {
  account: requireAccount,
  isOwner,
  signIn,
  invite,
  replaceGrants,
  /** Only for owners: call `requireOwner` first. */
  people,
  /** Only for owners: call `requireOwner` first. */
  person,
  requireOwner,
  /** Only for owners, and where the configuration allows it. */
  diagnostics,
  enableChannels,
  changeNick,
  networks,
  chooseNetwork,
  networkLogins,
  enterNetworkLogin,
  tryNetworkLogin,
  clearNetworkLogin,
  makeLoginCertificate,
  exportHistory,
  deleteHistory,
  isHistoryBeingDeleted,
  /** Only for owners: call `requireOwner` first. */
  removeAccount,
  finishRemovals,
  agents,
  revokeAgent,
  renameAgent,
  allowsPersonalTokens: ({ settings }: ServiceContext): boolean => settings.personalTokens === true,
  createPersonalToken,
  verifyPersonalToken,
  ircStatus,
  accountInformation,
  goOnline: ({ presence }: ServiceContext, { accountId }: OfAccount) => presence.goOnline(accountId),
  goOffline: ({ presence }: ServiceContext, { accountId }: OfAccount) => presence.goOffline(accountId),
  readHistory,
  readUnread,
  readUnreadEverywhere,
  acknowledge,
  searchHistory,
  sendMessage,
  postMessage,
  recentActivity,
  connectionStatus,
  messageStatus,
  subscribe,
  unsubscribe,
  subscriptions,
  endSubscription,
  prepare,
};

type OfAccount = Partial<Caller> & Pick<Caller, 'accountId'>;

type UseCase = (context: never, ...given: never[]) => unknown;

/** A use case as its callers see it. */
type Bound<Unbound> = Unbound extends (context: ServiceContext, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : never;

/** The use cases, as the edges (MCP, REST, pages, administration) call them. */
export type Services = { [Name in keyof typeof useCases]: Bound<(typeof useCases)[Name]> };

const SEARCH_LINE = { max: SEARCHES_OF_ACCOUNT_WAITING, waitMaxMs: SEARCH_WAIT_MAX_MS, refusal: accountBusy };

export function createServices(context: ServiceContext): Services {
  const bind = (useCase: UseCase) => useCase.bind(undefined, context as never);
  const bound = Object.entries<UseCase>(useCases).map(([name, useCase]) => [name, bind(useCase)]);
  const services = Object.fromEntries(bound) as Services;
  const searches = new PlacesByKey(SEARCHES_OF_ACCOUNT_AT_ONCE, SEARCH_LINE);
  return {
    ...services,
    searchHistory: (caller, request) => searches.use(caller.accountId, () => services.searchHistory(caller, request)),
  };
}

/** Applies the configuration to the accounts: before the first request is served, and after a reload. */
async function prepare(context: ServiceContext): Promise<void> {
  await context.store.capture.nameNetwork(context.settings.network.name);
  await keyLogins(context);
  await reconcileGrants(context);
  // Tokens are refused from now on; subscriptions made with them would go on for a month.
  if (context.settings.personalTokens !== true) await context.store.subscriptions.endOfPersonalTokens();
}
