import { type Account, enabledChannels } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { ServiceContext } from './context.ts';
import { isOwner } from './is-owner.ts';
import { requireAccount } from './require-account.ts';

/** What an owner sees of a person who may enter. @spec connector#owner-invitation */
export interface PersonAccess {
  accountId: string;
  /** Null when the login is another person's now; the account is still this one's. */
  login: string | null;
  nick: string;
  isOwner: boolean;
  hasSignedIn: boolean;
  granted: string[];
  enabled: string[];
}

/** Everybody who has an account, by login; those without one come last. */
export async function people(context: ServiceContext): Promise<PersonAccess[]> {
  const accounts = await context.store.accounts.list();
  const [named, nameless] = [accounts.filter(hasLogin), accounts.filter((account) => !hasLogin(account))];
  return [...named, ...nameless].map((account) => ({
    accountId: account.accountId,
    login: account.login,
    nick: account.nick,
    isOwner: isOwner(context, account.login),
    hasSignedIn: account.hasSignedIn,
    granted: account.grants.map(({ channel }) => channel),
    enabled: enabledChannels(account),
  }));
}

const hasLogin = ({ login }: Account): boolean => login !== null;

/** The owner's account. @throws ConnectorError not_owner for everybody else, also for who was an owner until now */
export async function requireOwner(context: ServiceContext, accountId: string): Promise<Account> {
  const account = await requireAccount(context, accountId);
  if (isOwner(context, account.login)) return account;
  throw new ConnectorError('not_owner', 'only an owner may do this: owners stand in settings.ownerLogins');
}
