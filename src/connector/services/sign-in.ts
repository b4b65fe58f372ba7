import type { Account } from '../domain/account.ts';
import { ConnectorError } from '../errors.ts';
import type { Identity } from '../ports/identity-provider.ts';
import type { ServiceContext } from './context.ts';
import { createAccount } from './create-account.ts';
import { isOwner, isOwnerLogin } from './is-owner.ts';
import { reconcileAccount } from './reconcile-grants.ts';

/**
 * Returns the account of the person who signed in: the one tied to them by an earlier sign-in, even if their login has
 * changed, else the one that waits for their login. An owner's account is created at the first sign-in.
 * @throws ConnectorError not_invited, user_limit_reached
 */
export async function signIn(context: ServiceContext, identity: Identity): Promise<Account> {
  const { accounts } = context.store;
  const tied = await accounts.findBySubject(identity.issuer, identity.subject);
  const account = tied ?? (await tieToLogin(context, identity));
  const named = (await mayTake(context, account, identity.login))
    ? await accounts.takeLogin(account.accountId, identity.login)
    : account;
  context.log.info({ account: named.accountId, owner: isOwner(context, named) }, 'signed in');
  // The new login may be an owner's.
  return reconcileAccount(context, named);
}

/**
 * Whether the person's new login becomes the login of their account. Where any person may take a login that was given
 * up, this must not make anyone an owner: an owner's login stays with the person who signed in with it, even if they
 * are renamed, until the configuration names another one or an owner frees it.
 */
async function mayTake({ settings, store }: ServiceContext, account: Account, login: string): Promise<boolean> {
  if (account.login === login) return false;
  const { loginsAreGiven, loginKey } = settings;
  if (loginsAreGiven || (account.login !== null && loginKey(account.login) === loginKey(login))) return true;
  if (isOwnerLogin({ settings }, account.login)) return false;
  if (!isOwnerLogin({ settings }, login)) return true;
  const holder = await store.accounts.findByLogin(login);
  return holder === undefined || !holder.hasSignedIn;
}

/** Ties the account that waits for the login to this person, for good. */
async function tieToLogin(context: ServiceContext, identity: Identity): Promise<Account> {
  const { accounts } = context.store;
  const { issuer, subject, login } = identity;
  const account = await waitingAccount(context, identity);
  if (await accounts.bindSubject(account.accountId, issuer, subject))
    return { ...account, hasSignedIn: true, person: { issuer, subject } };
  // The same person may be signing in elsewhere at this moment, under another login.
  const tied = await accounts.findBySubject(issuer, subject);
  if (tied !== undefined) return tied;
  throw new ConnectorError(
    'not_invited',
    `the login ${login} belongs to another person here: if it has passed to you, an owner can invite you as a new person`,
  );
}

async function waitingAccount(context: ServiceContext, identity: Identity): Promise<Account> {
  const { accounts } = context.store;
  const { issuer, subject, login } = identity;
  if (isOwner(context, { login, person: { issuer, subject } })) {
    const isNamedBySubject = !isOwnerLogin(context, login);
    // The earlier holder of the login was renamed, or is gone; or took the login of an owner whom the configuration
    // also names by subject.
    if (context.settings.loginsAreGiven || isNamedBySubject) await accounts.freeLogin(login, { issuer, subject });
    return createAccount(context, { login, channels: context.settings.ircChannels, isOwner: true });
  }
  const invited = await accounts.findByLogin(login);
  if (invited !== undefined) return invited;
  throw new ConnectorError('not_invited', `the login ${login} is not invited: an owner can invite it`);
}
