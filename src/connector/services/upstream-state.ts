import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { ServiceContext } from './context.ts';

/**
 * The state that the session reports, even if that is null: it notices a hanging server, the bouncer does not. Without
 * a session the bouncer is asked; null means that the bouncer does not know either.
 */
export async function upstreamState(
  { store, bouncer }: ServiceContext,
  account: Account,
  status: PresenceStatus | undefined,
): Promise<UpstreamState> {
  if (status !== undefined) return status.upstream;
  if (!account.isOnline) return false;
  try {
    return await bouncer.upstreamState(await store.accounts.bouncerUser(account.accountId));
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}
