import type { Account } from '../domain/account.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { AccountEntry } from '../ports/history-store.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { ServiceContext } from './context.ts';

/** Connection state of an account. */
export interface AccountConnection {
  accountId: string;
  login: string | null;
  isOnline: boolean;
  upstreamConnected: UpstreamState;
  /**
   * Start of the present session with the bouncer, or end of the last connection, in milliseconds since 1970; null
   * before the first one.
   */
  since: number | null;
}

export interface DiagnosticsRequest {
  /** Most rows of each list. */
  limit: number;
  /** Only events that were seen at this time or later are listed; milliseconds since 1970. */
  since: number | undefined;
}

export interface Diagnostics {
  /** The entries that were seen last, the newest first. */
  events: AccountEntry[];
  /** Connections, the last changed one first. */
  connections: AccountConnection[];
}

/** An owner's view of all accounts: IRC activity and connections. @spec connector#discovery-and-service-endpoints */
export async function diagnostics(
  { store, presence }: Pick<ServiceContext, 'store' | 'presence'>,
  { limit, since = 0 }: DiagnosticsRequest,
): Promise<Diagnostics> {
  const { accounts, entries } = store;
  const known = await accounts.list();
  // The history of an account that is being removed may still be there.
  const accountIds = new Set(known.map(({ accountId }) => accountId));
  const newest = await entries.newestOfAll(limit);
  const statuses = await presence.statuses();
  const connections = known.map((account) => connectionOf(account, statuses.get(account.accountId)));
  return {
    events: newest.filter(({ accountId, observedAt }) => accountIds.has(accountId) && observedAt >= since),
    connections: connections.sort((a, b) => (b.since ?? 0) - (a.since ?? 0)).slice(0, limit),
  };
}

function connectionOf(account: Account, status: PresenceStatus | undefined): AccountConnection {
  const { accountId, login, isOnline, lastDisconnectedAt } = account;
  if (!isOnline) return { accountId, login, isOnline, upstreamConnected: false, since: lastDisconnectedAt };
  // Without a session the state is unknown. The bouncer is not asked, because there may be thousands of accounts.
  return {
    accountId,
    login,
    isOnline,
    upstreamConnected: status?.upstream ?? null,
    since: status?.sessionSince ?? null,
  };
}
