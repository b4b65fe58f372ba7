import type { NetworkLogin } from '../domain/login-at-network.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { accountOf, approvedNetworkOf, type PresenceContext } from './presence-context.ts';

/** Parts of the account's connection that its login needs. */
export interface LoginConnection {
  /** Session of an account that is wanted online. */
  readonly session: BouncerSession | undefined;
  /** Name of the network of the session. */
  readonly network: string | undefined;
  /** Connects the network, unless it is connected. */
  connectNetwork(user: BouncerUser, nick: string): Promise<void>;
  /** Connects the network again, though it is connected. */
  renewNetwork(user: BouncerUser, nick: string): Promise<void>;
}

export interface LoginRemoval {
  accountId: string;
  user: BouncerUser;
  /** Whether the network may still accept the login on this connection; the bouncer would then keep it. */
  isPending: boolean;
  /** Account at the network, as far as it is known. */
  account: string | undefined;
}

/**
 * Removes the account's cleared logins, of all networks, from the bouncer, and logs its person out of the present one.
 * The stored rows go last: until then another attempt, also of the next process, completes what this one has left.
 * ended-ok: without its session the next one completes it.
 */
export async function forgetCleared(
  context: PresenceContext,
  connection: LoginConnection | undefined,
  { accountId, user, isPending, account }: LoginRemoval,
): Promise<void> {
  const { bouncer, store } = context;
  const all = await store.networkLogins.list(accountId);
  const cleared = all.filter(({ state }) => state === 'cleared');
  if (cleared.length === 0) return;
  const present = approvedNetworkOf(context, user);
  const isOfPresent = ({ network }: NetworkLogin): boolean =>
    network.name === present.name && network.address === present.address;
  const isAsked = isPending && cleared.some(isOfPresent);
  // The bouncer itself would keep the password if the network accepted it now, so the connection ends first.
  if (isAsked) await bouncer.setOnline(user, false);
  const others = all.filter((login) => !cleared.includes(login)).map(({ network }) => network.name);
  let isForgotten = false;
  for (const { network } of cleared) isForgotten = (await bouncer.logins.forget(user, network, others)) || isForgotten;
  const { isOnline, nick } = await accountOf(context, accountId);
  const session = connection?.session;
  // The network may be logging it in at this moment, or have done so: the next connection completes this.
  const isLeft = isOnline && !isAsked && (session === undefined || session.upstream === false);
  const isLoggedIn = async () => (account ?? (await bouncer.logins.at(user)).account) !== undefined;
  if (isAsked || (isForgotten && !isLeft && session !== undefined && (await isLoggedIn()))) {
    await connection?.renewNetwork(user, nick);
  }
  for (const login of cleared) if (!(isLeft && isOfPresent(login))) await store.networkLogins.remove(login.loginId);
}
