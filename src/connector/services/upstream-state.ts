import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { ServiceContext } from './context.ts';

/**
 * What the live session says, also where it can't tell: it sees a server that hangs, which the bouncer does not.
 * Without one the bouncer is asked, and null means that it could not tell either.
 */
export async function upstreamState(
  { store, bouncer }: ServiceContext,
  account: Account,
  live: UpstreamState | undefined,
): Promise<UpstreamState> {
  if (live !== undefined) return live;
  if (!account.isOnline) return false;
  try {
    return await bouncer.upstreamState(await store.accounts.bouncerUser(account.accountId));
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}
