import type { Account } from '../domain/account.ts';
import { nickOf } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';

export interface NewcomerRequest {
  login: string;
  channels: readonly string[];
  /** The login has passed to another person: whoever has signed in with it keeps their account, without the login. */
  isNewPerson?: boolean;
  /** An owner named in the configuration has a place also where all others have been given away: else no one could take one back. */
  isOwner?: boolean;
}

/**
 * A new account with these channels, none of them selected; the one that has the login, if there is one meanwhile.
 * @throws ConnectorError user_limit_reached
 */
export async function createAccount(
  { store, settings: { maxUsers } }: ServiceContext,
  { login, channels, isNewPerson = false, isOwner = false }: NewcomerRequest,
): Promise<Account> {
  const grants = channels.map((channel) => ({ channel, enabled: false }));
  const account = await store.accounts.create(
    { login, nick: nickOf(login), grants, isNewPerson },
    isOwner ? Number.POSITIVE_INFINITY : maxUsers,
  );
  if (account !== undefined) return account;
  throw new ConnectorError(
    'user_limit_reached',
    `${maxUsers} people have an account, which is the limit: settings.maxUsers`,
  );
}
