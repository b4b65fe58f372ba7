import type { Account } from '../domain/account.ts';
import type { LoginKey } from '../domain/login-name.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Database } from './database.ts';
import { bindSubject, freeLogin, keyLogins, takeLogin } from './person-logins.ts';
import { invalidating } from './shared-invalidations.ts';

export interface LoginChangesParts {
  database: Database;
  invalidations: Invalidations;
  /** Key by which two logins count as equal. */
  loginKey: LoginKey;
  accountIn: (database: Database, accountId: string) => Promise<Account>;
}

/** Creates the operations on logins; they also invalidate accounts that lose theirs. */
export function loginChanges({
  database,
  invalidations,
  loginKey,
  accountIn,
}: LoginChangesParts): Pick<AccountStore, 'bindSubject' | 'takeLogin' | 'freeLogin' | 'keyLogins'> {
  const changing = <T>(
    accountIds: readonly string[],
    change: (transaction: Database, lost: (accountId: string) => void) => Promise<T>,
  ): Promise<T> => {
    const changed = accountIds.map(subjectOf);
    const lost = (accountId: string): void => void changed.push(subjectOf(accountId));
    return invalidating(invalidations, changed, () => database.transaction((transaction) => change(transaction, lost)));
  };
  return {
    bindSubject: (accountId, issuer, subject) =>
      changing([accountId], (transaction) => bindSubject(transaction, accountId, { issuer, subject })),
    takeLogin: (accountId, login) =>
      changing([accountId], async (transaction, lost) => {
        for (const other of await takeLogin(transaction, accountId, login, loginKey)) lost(other);
        return accountIn(transaction, accountId);
      }),
    freeLogin: (login, person) =>
      changing([], async (transaction, lost) => {
        for (const other of await freeLogin(transaction, loginKey(login), person)) lost(other);
      }),
    keyLogins: () =>
      changing([], async (transaction, lost) => {
        const losers = await keyLogins(transaction, loginKey);
        for (const other of losers) lost(other);
        return losers;
      }),
  };
}

const subjectOf = (accountId: string): Subject => ['account', accountId];
