import type { Casemapping } from './casemapping.ts';
import type { Grant } from './channel.ts';

/** @spec connector#human-account */
export interface Account {
  accountId: string;
  /** At the last sign-in; null when another person has arrived with it since, or is invited with it. */
  login: string | null;
  /** False for an invitation that nobody has answered yet. */
  hasSignedIn: boolean;
  /** Whom the identity provider vouched for at the first sign-in; null before it. */
  person: { issuer: string; subject: string } | null;
  nick: string;
  /** The network that the person chose; null for one who has chosen none. Perhaps it is not approved any more: see `networkOf`. */
  network: string | null;
  /** How that network compares nicks and channels, as it last announced. */
  casemapping: Casemapping;
  grants: readonly Grant[];
  /** Whether the account is meant to be online. */
  isOnline: boolean;
  /** Milliseconds since 1970. */
  lastDisconnectedAt: number | null;
}

export function enabledChannels(account: Account): string[] {
  return account.grants.filter(({ enabled }) => enabled).map(({ channel }) => channel);
}

/** Who called: the account, and the OAuth client the call came through. */
export interface Caller {
  accountId: string;
  clientId: string;
}
