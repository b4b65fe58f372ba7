import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { Identity } from '../ports/identity-provider.ts';
import type { ServiceContext } from './context.ts';
import { createAccount } from './create-account.ts';
import { isOwner } from './is-owner.ts';
import { reconcileAccount } from './reconcile-grants.ts';

/**
 * The account of the person who signed in: the one tied to them by an earlier sign-in, whatever their login is now, else
 * the one that waits for their login. An owner's account is made at the first sign-in.
 * @throws ConnectorError not_invited, user_limit_reached
 */
export async function signIn(context: ServiceContext, identity: Identity): Promise<Account> {
  const { accounts } = context.store;
  const tied = await accounts.findBySubject(identity.issuer, identity.subject);
  const account = tied ?? (await tieToLogin(context, identity));
  const named = account.login === identity.login ? account : await followLogin(context, account, identity.login);
  context.log.info({ account: named.accountId, owner: isOwner(context, named.login) }, 'signed in');
  // Another login may be an owner's.
  return reconcileAccount(context, named);
}

/** Ties the account with the person's login to the person; from then on it is theirs alone. */
async function tieToLogin(context: ServiceContext, { issuer, subject, login }: Identity): Promise<Account> {
  const { accounts } = context.store;
  const account = await waitingAccount(context, login);
  if (await accounts.bindSubject(account.accountId, issuer, subject)) return account;
  // The same person may sign in elsewhere at this moment, under another login.
  const tied = await accounts.findBySubject(issuer, subject);
  if (tied !== undefined) return tied;
  throw new ConnectorError('not_invited', `the login ${login} belongs to another person`);
}

async function waitingAccount(context: ServiceContext, login: string): Promise<Account> {
  const invited = await context.store.accounts.findByLogin(login);
  if (invited !== undefined) return invited;
  if (isOwner(context, login)) return createAccount(context, login, context.settings.ircChannels);
  throw new ConnectorError('not_invited', `the login ${login} is not invited: an owner can invite it`);
}

/** The person was renamed. While another account has the new login, theirs keeps the old one. */
async function followLogin(context: ServiceContext, account: Account, login: string): Promise<Account> {
  if (await context.store.accounts.rename(account.accountId, login)) return { ...account, login };
  context.log.warn({ account: account.accountId }, 'login not renamed: another account has the new login');
  return account;
}
