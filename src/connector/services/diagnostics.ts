import type { Account } from '../domain/account.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { AccountEntry } from '../ports/history.ts';
import type { ServiceContext } from './context.ts';

/** How an account is connected at this moment. */
export interface AccountConnection {
  accountId: string;
  login: string | null;
  isOnline: boolean;
  upstreamConnected: UpstreamState;
  /** When the present session with the bouncer began, or the last connection ended; null where there was none. */
  since: number | null;
}

export interface DiagnosticsRequest {
  /** Of each list. */
  limit: number;
  /** Nothing that was seen before is told; milliseconds since 1970. */
  since: number | undefined;
}

export interface Diagnostics {
  /** What was seen last, the newest first. */
  events: AccountEntry[];
  /** Those that changed last come first. */
  connections: AccountConnection[];
}

/** What an owner sees of everybody: activity of IRC, and connections. @spec connector#discovery-and-service-endpoints */
export async function diagnostics(
  context: ServiceContext,
  { limit, since = 0 }: DiagnosticsRequest,
): Promise<Diagnostics> {
  const { accounts, entries } = context.store;
  const known = await accounts.list();
  // The history of an account that is being removed may still be there.
  const accountIds = new Set(known.map(({ accountId }) => accountId));
  const newest = await entries.newestOfAll(limit);
  const connections = await Promise.all(known.map((account) => connectionOf(context, account)));
  return {
    events: newest.filter(({ accountId, observedAt }) => accountIds.has(accountId) && observedAt >= since),
    connections: connections.sort((a, b) => (b.since ?? 0) - (a.since ?? 0)).slice(0, limit),
  };
}

async function connectionOf({ presence }: ServiceContext, account: Account): Promise<AccountConnection> {
  const { accountId, login, isOnline, lastDisconnectedAt } = account;
  if (!isOnline) return { accountId, login, isOnline, upstreamConnected: false, since: lastDisconnectedAt };
  const status = await presence.status(accountId);
  // Without a session nobody knows. The bouncer is not asked, because there may be thousands of accounts.
  return {
    accountId,
    login,
    isOnline,
    upstreamConnected: status?.upstream ?? null,
    since: status?.sessionSince ?? null,
  };
}
