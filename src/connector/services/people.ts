import type { Account } from '../domain/account.ts';
import { type Grant, replaceGrants } from '../domain/channel.ts';
import { freeNick, nickKey } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { Identity } from '../ports/identity-provider.ts';
import type { Presences } from '../presence/presences.ts';
import type { ServiceContext } from './context.ts';

/** Two people who sign in at the same moment may get the same nick; then the second tries again. */
const CREATE_ATTEMPTS = 3;

/** The account of the person who signed in; an owner's account is made at the first sign-in. @throws ConnectorError not_invited, user_limit_reached */
export async function signIn(context: ServiceContext, identity: Identity): Promise<Account> {
  const { store, settings } = context;
  const known = await store.accounts.findByLogin(identity.login);
  const account = known ?? (isOwner(context, identity.login) ? await ownerAccount(context, identity.login) : undefined);
  if (account === undefined) {
    throw new ConnectorError('not_invited', `the login ${identity.login} is not invited: an owner can invite it`);
  }
  if (!(await store.accounts.bindSubject(account.accountId, identity.issuer, identity.subject))) {
    throw new ConnectorError('not_invited', `the login ${identity.login} belongs to another person`);
  }
  context.log.info({ account: account.accountId, owner: settings.ownerLogins.includes(account.login) }, 'signed in');
  return account;
}

export function isOwner({ settings }: ServiceContext, login: string): boolean {
  return settings.ownerLogins.includes(login);
}

/**
 * Invites a login, or replaces its grants; a known login is accepted even at the limit.
 * @throws ConnectorError channel_unknown, user_limit_reached
 * @spec connector#owner-invitation
 */
export async function invite(
  context: ServiceContext,
  sessions: Presences,
  { login, channels = context.settings.ircChannels }: { login: string; channels?: readonly string[] | undefined },
): Promise<Account> {
  const { store, settings } = context;
  const unknown = channels.find((channel) => !settings.ircChannels.includes(channel));
  if (unknown !== undefined) {
    throw new ConnectorError(
      'channel_unknown',
      `${unknown} is not one of ircChannels: ${settings.ircChannels.join(', ')}`,
    );
  }
  const wanted = [...new Set(channels)];
  const known = await store.accounts.findByLogin(login);
  if (known === undefined) return createAccount(context, login, replaceGrants([], wanted));
  const grants = replaceGrants(known.grants, isOwner(context, login) ? settings.ircChannels : wanted);
  await sessions.of(known.accountId).setGrants(grants);
  return { ...known, grants };
}

/** Enables these of the granted channels and no others; false when the bouncer can't be told now. */
export async function enableChannels(
  sessions: Presences,
  account: Account,
  channels: readonly string[],
): Promise<boolean> {
  const grants = account.grants.map(({ channel }) => ({ channel, enabled: channels.includes(channel) }));
  return sessions.of(account.accountId).setGrants(grants);
}

/** After a change of the configuration: owners get every channel, and channels that are gone are revoked. */
export async function reconcileGrants({ store, settings }: ServiceContext): Promise<void> {
  for (const account of await store.accounts.list()) {
    const allowed = settings.ownerLogins.includes(account.login)
      ? settings.ircChannels
      : account.grants.map(({ channel }) => channel).filter((channel) => settings.ircChannels.includes(channel));
    if (!sameChannels(account.grants, allowed)) {
      await store.accounts.setGrants(account.accountId, replaceGrants(account.grants, allowed));
    }
  }
}

const sameChannels = (grants: readonly Grant[], channels: readonly string[]): boolean =>
  grants.length === channels.length && grants.every(({ channel }) => channels.includes(channel));

const ownerAccount = (context: ServiceContext, login: string): Promise<Account> =>
  createAccount(context, login, replaceGrants([], context.settings.ircChannels));

async function createAccount(context: ServiceContext, login: string, grants: readonly Grant[]): Promise<Account> {
  const { store, settings } = context;
  for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt += 1) {
    const accounts = await store.accounts.list();
    const same = accounts.find((account) => account.login === login);
    if (same !== undefined) return same;
    if (accounts.length >= settings.maxUsers) break;
    const taken = new Set(accounts.map(({ nick }) => nickKey(nick)));
    const nick = freeNick(login, (key) => taken.has(key));
    const account = await store.accounts.create({ login, nick, grants }, settings.maxUsers);
    if (account !== undefined) return account;
  }
  throw new ConnectorError(
    'user_limit_reached',
    `${settings.maxUsers} people have an account, which is the limit: settings.maxUsers`,
  );
}
