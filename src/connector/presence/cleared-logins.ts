import type { BouncerUser } from '../ports/bouncer.ts';
import type { PresenceContext } from './context.ts';

/**
 * Removes the account's cleared logins, of all networks, from the bouncer and then from the database.
 * @returns whether the bouncer's present network was among them
 */
export async function forgetCleared(
  { bouncer, store }: Pick<PresenceContext, 'bouncer' | 'store'>,
  accountId: string,
  user: BouncerUser,
): Promise<boolean> {
  const logins = await store.networkLogins.list(accountId);
  const others = logins.filter(({ state }) => state !== 'cleared').map(({ network }) => network.name);
  let isPresent = false;
  for (const { loginId, network, state } of logins) {
    if (state !== 'cleared') continue;
    isPresent = (await bouncer.logins.forget(user, network, others)) || isPresent;
    await store.networkLogins.remove(loginId);
  }
  return isPresent;
}
