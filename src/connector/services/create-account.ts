import type { Account } from '../domain/account.ts';
import { freeNick, nickKey } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';

/** Two accounts that are made at the same moment may get the same nick; then the second tries again. */
const CREATE_ATTEMPTS = 3;

/**
 * A new account with these channels, none of them selected; the one that has the login, if there is one meanwhile.
 * @throws ConnectorError user_limit_reached
 */
export async function createAccount(
  { store, settings }: ServiceContext,
  login: string,
  channels: readonly string[],
): Promise<Account> {
  const grants = channels.map((channel) => ({ channel, enabled: false }));
  for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt += 1) {
    const accounts = await store.accounts.list();
    const same = await store.accounts.findByLogin(login);
    if (same !== undefined) return same;
    if (accounts.length >= settings.maxUsers) break;
    const taken = new Set(accounts.map(({ nick }) => nickKey(nick)));
    const nick = freeNick(login, (key) => taken.has(key));
    const account = await store.accounts.create({ login, nick, grants }, settings.maxUsers);
    if (account !== undefined) return account;
  }
  throw noRoom(settings.maxUsers);
}

/** @throws ConnectorError user_limit_reached */
export async function requireRoom({ store, settings }: ServiceContext): Promise<void> {
  const { length } = await store.accounts.list();
  if (length >= settings.maxUsers) throw noRoom(settings.maxUsers);
}

const noRoom = (maxUsers: number): ConnectorError =>
  new ConnectorError('user_limit_reached', `${maxUsers} people have an account, which is the limit: settings.maxUsers`);
