import type { Account } from '../domain/account.ts';
import type { Casemapping } from '../domain/casemapping.ts';
import type { Grant } from '../domain/channel.ts';
import type { BouncerUser } from './bouncer.ts';

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByLogin(login: string): Promise<Account | undefined>;
  /** The account tied to this person at the identity provider, whatever their login is now. */
  findBySubject(issuer: string, subject: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /** Who there is, by login, without what they have: for lists of which a part is shown. Those without a login come last. */
  names(): Promise<AccountName[]>;
  /** Those of these that there are, in no order. */
  findSome(accountIds: readonly string[]): Promise<Account[]>;
  /** Accounts that are meant to be online. */
  listOnline(): Promise<Account[]>;
  /** Makes an account; gives the one that has the login, where there is one. Undefined when `maxAccounts` exist. */
  create(account: NewAccount, maxAccounts: number): Promise<Account | undefined>;
  /** Ties the account to a person at the identity provider; false when it is another's, or the person has another account. */
  bindSubject(accountId: string, issuer: string, subject: string): Promise<boolean>;
  /**
   * Gives the account the login that its person has now. The account of another person that had it is without one from then
   * on; an invitation for it that nobody has answered is answered by this person, who gets its channels, too.
   */
  takeLogin(accountId: string, login: string): Promise<Account>;
  /** Takes a login from the account that somebody has signed in to, unless it is this person's. */
  freeLogin(login: string, person: Person): Promise<void>;
  /** Call it at the start, because the identity provider may be another one. Gives the accounts that lost their login to an older one. */
  keyLogins(): Promise<string[]>;
  /** Grants exactly these channels: what was selected of them stays so, new ones start unselected. Gives the account as it then is. @spec connector#owner-invitation */
  replaceGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Revokes every channel but these, and grants none. */
  restrictGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Selects exactly these of the channels that are granted at this moment. */
  selectChannels(accountId: string, channels: readonly string[]): Promise<Account>;
  setOnline(accountId: string, since: number | null): Promise<void>;
  /** Notes how the account's network compares nicks and channels. */
  setCasemapping(accountId: string, casemapping: Casemapping): Promise<void>;
  setDisconnected(accountId: string, at: number): Promise<void>;
  /** Gives the account another nick; false when another account has it, or one that differs from it only in case. */
  rename(accountId: string, nick: string): Promise<boolean>;
  chooseNetwork(accountId: string, name: string): Promise<void>;
  /** Gives the account's user in the bouncer a new password, which the bouncer is to be told of. */
  renewBouncerPassword(accountId: string): Promise<void>;
  bouncerUser(accountId: string): Promise<BouncerUser>;
}

/** Who somebody is at the identity provider, whatever their login is. */
export interface Person {
  issuer: string;
  subject: string;
}

export interface NewAccount {
  login: string;
  /** Where another account has it, its last characters become a counter. */
  nick: string;
  grants: readonly Grant[];
  /** The login has passed to another person: whoever has signed in with it keeps their account, without the login. */
  isNewPerson?: boolean;
}

/** How people call an account. */
export interface AccountName {
  accountId: string;
  login: string | null;
  nick: string;
}
