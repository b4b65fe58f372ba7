import type { Account } from '../domain/account.ts';
import { nickOf } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';

export interface NewcomerRequest {
  login: string;
  channels: readonly string[];
  /**
   * Whether the login has passed to another person: the person who signed in with it before keeps their account,
   * without the login.
   */
  isNewPerson?: boolean;
  /**
   * Whether the configuration names the person as an owner. An owner gets an account above the limit, too: else no one
   * could free a place.
   */
  isOwner?: boolean;
}

/**
 * Creates an account with these channels granted, but not enabled. Returns the account that has the login, if there is
 * one meanwhile.
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
