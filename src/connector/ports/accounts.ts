import type { Account } from '../domain/account.ts';
import type { Grant } from '../domain/channel.ts';
import type { BouncerUser } from './bouncer.ts';

export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  findByLogin(login: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /** Accounts that are meant to be online. */
  listOnline(): Promise<Account[]>;
  /** Creates the account with the grants, or returns undefined when `maxAccounts` exist or the nick was taken meanwhile. */
  create(account: NewAccount, maxAccounts: number): Promise<Account | undefined>;
  /** Ties the account to a person's subject at the identity provider; false when it is tied to another person already. */
  bindSubject(accountId: string, issuer: string, subject: string): Promise<boolean>;
  setGrants(accountId: string, grants: readonly Grant[]): Promise<void>;
  setOnline(accountId: string, since: number | null): Promise<void>;
  setDisconnected(accountId: string, at: number): Promise<void>;
  bouncerUser(accountId: string): Promise<BouncerUser>;
}

export interface NewAccount {
  login: string;
  nick: string;
  grants: readonly Grant[];
}
