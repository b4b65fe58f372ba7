import { type Account, enabledChannels } from '../domain/account.ts';
import { foldText } from '../domain/fold.ts';
import { PEOPLE_PER_PAGE } from '../domain/limits.ts';
import { ConnectorError } from '../errors.ts';
import type { AccountName } from '../ports/account-store.ts';
import type { ServiceContext } from './context.ts';
import { isOwner } from './is-owner.ts';
import { requireAccount } from './require-account.ts';

/** A person with an account, as an owner sees them. @spec connector#owner-invitation */
export interface PersonAccess {
  accountId: string;
  /** Null if another person has the login now; the account is still this person's. */
  login: string | null;
  nick: string;
  isOwner: boolean;
  hasSignedIn: boolean;
  granted: string[];
  enabled: string[];
}

export interface PeopleRequest {
  /** Part of the login or the nick, in any case; all people if undefined. */
  search?: string | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
}

/** A page of the people who have an account. */
export interface PeoplePage {
  people: PersonAccess[];
  /** The requested page, or the last one if there are fewer. */
  page: number;
  pages: number;
  /** Number of people that match the search. */
  found: number;
}

/** The people with an account that match the search, by login; people without a login come last. */
export async function people(
  context: ServiceContext,
  { search = '', page: asked = 1 }: PeopleRequest = {},
): Promise<PeoplePage> {
  const { accounts } = context.store;
  const found = (await accounts.names()).filter(fitting(search));
  const pages = Math.max(1, Math.ceil(found.length / PEOPLE_PER_PAGE));
  const page = Math.min(asked, pages);
  const shown = found.slice((page - 1) * PEOPLE_PER_PAGE, page * PEOPLE_PER_PAGE).map(({ accountId }) => accountId);
  const accountOf = new Map((await accounts.findSome(shown)).map((account) => [account.accountId, account]));
  return {
    people: shown.flatMap((accountId) => {
      const account = accountOf.get(accountId);
      // A person who was removed meanwhile is left out.
      return account === undefined ? [] : [accessOf(context, account)];
    }),
    page,
    pages,
    found: found.length,
  };
}

function fitting(search: string): (name: AccountName) => boolean {
  const part = foldText(search.trim());
  return ({ login, nick }) => foldText(login ?? '').includes(part) || foldText(nick).includes(part);
}

/** @throws ConnectorError account_unknown */
export async function person(context: ServiceContext, accountId: string): Promise<PersonAccess> {
  const account = await context.store.accounts.find(accountId);
  if (account === undefined) throw new ConnectorError('account_unknown', 'this person has no access any more');
  return accessOf(context, account);
}

const accessOf = (context: ServiceContext, account: Account): PersonAccess => ({
  accountId: account.accountId,
  login: account.login,
  nick: account.nick,
  isOwner: isOwner(context, account),
  hasSignedIn: account.hasSignedIn,
  granted: account.grants.map(({ channel }) => channel),
  enabled: enabledChannels(account),
});

/** Returns the owner's account. @throws ConnectorError not_owner for all other people, also for former owners */
export async function requireOwner(context: ServiceContext, accountId: string): Promise<Account> {
  const account = await requireAccount(context, accountId);
  if (isOwner(context, account)) return account;
  throw new ConnectorError(
    'not_owner',
    'only an owner may do this: owners stand in settings.ownerLogins or ownerSubjects',
  );
}
