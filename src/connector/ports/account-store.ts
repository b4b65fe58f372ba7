import type { Account } from '../domain/account.ts';
import type { Casemapping } from '../domain/casemapping.ts';
import type { Grant } from '../domain/channel.ts';
import type { BouncerUser } from './bouncer.ts';

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByLogin(login: string): Promise<Account | undefined>;
  /** Finds the account of this person at the identity provider, independent of their present login. */
  findBySubject(issuer: string, subject: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /**
   * Lists only the names, sorted by login, for lists that show a part of the accounts. Accounts without a login come
   * last.
   */
  names(): Promise<AccountName[]>;
  /** Returns those of these accounts that exist, in no order. */
  findSome(accountIds: readonly string[]): Promise<Account[]>;
  /** Lists accounts that are wanted online: all, or those in these slots. */
  listOnline(slots?: readonly number[]): Promise<Account[]>;
  /** Returns the slots of the accounts that are wanted online, one for each account. */
  slotsOfOnline(): Promise<number[]>;
  /**
   * Returns the account's slot, from 0 to 63: the process that has it acts for the account. It never changes. Also that
   * of a removed account whose data are not all deleted; undefined without an account.
   */
  slotOf(accountId: string): Promise<number | undefined>;
  /** Returns the ids of the accounts in these slots, removed ones included, in one read. */
  idsIn(slots: readonly number[]): Promise<string[]>;
  /** Creates an account; returns the existing one if it has the login. Undefined if `maxAccounts` exist. */
  create(account: NewAccount, maxAccounts: number): Promise<Account | undefined>;
  /**
   * Binds the account to a person at the identity provider; false if it is another person's, or the person has another
   * account.
   */
  bindSubject(accountId: string, issuer: string, subject: string): Promise<boolean>;
  /**
   * Gives the account the login that its person has now. An account of another person loses it; an unanswered
   * invitation counts as answered by this person, who also gets its channels.
   */
  takeLogin(accountId: string, login: string): Promise<Account>;
  /** Removes a login from an account that has an owner, unless it is this person's. */
  freeLogin(login: string, person: Person): Promise<void>;
  /**
   * Computes the logins' keys again; call it at the start, because the identity provider may have changed. Returns the
   * accounts that lost their login to an older one.
   */
  keyLogins(): Promise<string[]>;
  /**
   * Grants exactly these channels: their selections stay, new ones start unselected. Returns the changed account.
   * @spec connector#owner-invitation
   */
  replaceGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Revokes all channels except these, without granting any. */
  restrictGrants(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Selects exactly those of these channels that are granted now. */
  selectChannels(accountId: string, channels: readonly string[]): Promise<Account>;
  /** Stores the account as online since a time, or as offline: then all sends that wait to be written fail. */
  setOnline(accountId: string, since: number | null): Promise<void>;
  /** Stores the rule by which the account's network compares nicks and channels. */
  setCasemapping(accountId: string, casemapping: Casemapping): Promise<void>;
  setDisconnected(accountId: string, at: number): Promise<void>;
  /** Gives the account another nick; false if another account has it, or one that differs only in case. */
  rename(accountId: string, nick: string): Promise<boolean>;
  chooseNetwork(accountId: string, name: string): Promise<void>;
  /** Gives the account's user in the bouncer a new password, which the caller must set in the bouncer. */
  renewBouncerPassword(accountId: string): Promise<void>;
  /**
   * Returns accounts for which a process that may wake has written lines, and whose users in the bouncer have got no
   * new password since. They are recorded when the database is taken from such a process, and stay recorded if its
   * successor ends. With slots, only those in them.
   */
  owedPasswords(slots?: readonly number[]): Promise<string[]>;
  /** Records that the bouncer knows the new password of the account's user. */
  notePasswordKnown(accountId: string): Promise<void>;
  bouncerUser(accountId: string): Promise<BouncerUser>;
}

/** Identity of a person at the identity provider, independent of their login. */
export interface Person {
  issuer: string;
  subject: string;
}

export interface NewAccount {
  login: string;
  /** Wanted nick; if another account has it, its last characters become a counter. */
  nick: string;
  grants: readonly Grant[];
  /** Whether the login has passed to another person: its previous owner keeps the account without the login. */
  isNewPerson?: boolean;
}

/** Names by which people know an account. */
export interface AccountName {
  accountId: string;
  login: string | null;
  nick: string;
}
