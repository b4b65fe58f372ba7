import type { Casemapping } from './casemapping.ts';
import type { Grant } from './channel.ts';

/** @spec connector#human-account */
export interface Account {
  accountId: string;
  /** The login at the last sign-in; null if another person has arrived with it since, or is invited with it. */
  login: string | null;
  /** False for an invited person who has not signed in yet. */
  hasSignedIn: boolean;
  /** The person that the identity provider named at the first sign-in; null before it. */
  person: { issuer: string; subject: string } | null;
  nick: string;
  /** The network that the person chose; null before a choice. It may not be approved any more: see `networkOf`. */
  network: string | null;
  /** The casemapping of nicks and channels that this network announced last. */
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

/** The origin of a call: the account, and the OAuth client through which the call came. */
export interface Caller {
  accountId: string;
  clientId: string;
}
