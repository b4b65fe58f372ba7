import type { Account } from '../domain/account.ts';
import type { UpstreamState } from '../ports.ts';
import type { ServiceContext } from './context.ts';

/** What the live session says; without one the bouncer is asked, and null means that it could not tell. */
export async function upstreamState(
  { store, bouncer }: ServiceContext,
  account: Account,
  live: UpstreamState,
): Promise<UpstreamState> {
  if (live !== null) return live;
  if (!account.isOnline) return false;
  return bouncer.upstreamState(await store.accounts.bouncerUser(account.accountId));
}
