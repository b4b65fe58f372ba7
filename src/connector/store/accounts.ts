import type { Clock } from '../../kernel/clock.ts';
import type { Account } from '../domain/account.ts';
import { type Casemapping, USUAL_CASEMAPPING } from '../domain/casemapping.ts';
import type { Grant } from '../domain/channel.ts';
import type { LoginKey } from '../domain/login-name.ts';
import { WENT_OFFLINE } from '../domain/outgoing-message.ts';
import { accountRemoved } from '../errors.ts';
import type { AccountName, AccountStore } from '../ports/account-store.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import { newId, newSecret } from '../random.ts';
import { accountGone, renameAccount } from './account-changes.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import { grant, grantsLock, grantsOf, revokeOthers, select } from './grants.ts';
import { loginChanges } from './login-changes.ts';
import { makeAccount } from './new-account.ts';
import { passwordDebts } from './owed-passwords.ts';
import { failWaiting } from './parts.ts';
import { invalidating } from './shared-invalidations.ts';
import { inSlots, slotReads } from './slots-of-accounts.ts';

interface AccountRow {
  account_id: string;
  login: string | null;
  issuer: string | null;
  subject: string | null;
  nick: string;
  network: string | null;
  casemapping: Casemapping | null;
  bouncer_user: string;
  bouncer_password_sealed: string;
  online_since: number | null;
  last_disconnected_at: number | null;
}

export interface AccountStoreParts {
  database: Database;
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
  /** Key by which two logins count as equal. */
  loginKey: LoginKey;
}

export function createAccountStore({
  database,
  seal,
  clock,
  invalidations,
  loginKey,
}: AccountStoreParts): AccountStore {
  // A removed account's row stays only until everything that belongs to it is deleted.
  const rows = () => database<AccountRow>('accounts').whereNull('removed_at');

  const decode = (found: AccountRow[]): Promise<Account[]> => accountsOf(database, found);
  const first = async (found: AccountRow[]): Promise<Account | undefined> => (await decode(found))[0];
  // Each tool call asks for its caller's account.
  const cache = new Cache<Account, 'account'>(invalidations, ['account']);
  const find = (accountId: string) =>
    cache.read(accountId, { account: accountId }, async () => first(await rows().where('account_id', accountId)));
  const changing = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
    invalidating(invalidations, [['account', accountId]], work);

  const changeGrants = (accountId: string, change: (transaction: Database) => Promise<void>): Promise<Account> =>
    changing(accountId, () =>
      database.transaction(async (transaction) => {
        await grantsLock(transaction, accountId);
        await change(transaction);
        return accountIn(transaction, accountId);
      }),
    );

  return {
    find,
    findByLogin: async (login) => first(await rows().where('login_key', loginKey(login))),
    findBySubject: async (issuer, subject) => first(await rows().where({ issuer, subject })),
    list: async () => (await decode(await rows())).sort((a, b) => inOrder(a.login ?? '', b.login ?? '')),
    names: async () => (await rows().select('account_id', 'login', 'nick')).map(nameOf).sort(byLogin),
    findSome: async (accountIds) => decode(await rows().whereIn('account_id', [...accountIds])),
    listOnline: async (slots) => decode(await rows().whereNotNull('online_since').modify(inSlots, slots)),
    ...slotReads(database),
    create: (account, maxAccounts) => {
      const { login } = account;
      const row = { ...newRow(seal, clock), login, login_key: loginKey(login) };
      const lost: Subject[] = [];
      return invalidating(invalidations, lost, () =>
        database.transaction(async (transaction) => {
          const made = await makeAccount(transaction, row, account, maxAccounts);
          lost.push(...(made?.lost ?? []).map((accountId): Subject => ['account', accountId]));
          return made && accountIn(transaction, made.accountId);
        }),
      );
    },
    ...loginChanges({ database, invalidations, loginKey, accountIn }),
    replaceGrants: (accountId, channels) =>
      changeGrants(accountId, async (transaction) => {
        await revokeOthers(transaction, accountId, channels);
        await grant(transaction, accountId, channels);
      }),
    restrictGrants: (accountId, channels) =>
      changeGrants(accountId, (transaction) => revokeOthers(transaction, accountId, channels)),
    selectChannels: (accountId, channels) =>
      changeGrants(accountId, (transaction) => select(transaction, accountId, channels)),
    setOnline: (accountId, since) =>
      invalidating(
        invalidations,
        [
          ['account', accountId],
          ['entries', accountId],
        ],
        () =>
          database.transaction(async (transaction) => {
            // A send is accepted before this change or after it: what was accepted before an end fails with it.
            await lock(transaction, arrivalLock(accountId));
            await transaction<AccountRow>('accounts')
              .where('account_id', accountId)
              .whereNull('removed_at')
              .update({ online_since: since });
            if (since === null) await failWaiting(transaction, accountId, { now: clock.now(), reason: WENT_OFFLINE });
          }),
      ),
    setDisconnected: (accountId, at) =>
      changing(accountId, async () => {
        await rows().where('account_id', accountId).update({ last_disconnected_at: at });
      }),
    rename: (accountId, nick) => changing(accountId, () => renameAccount(database, accountId, nick)),
    chooseNetwork: (accountId, name) =>
      changing(accountId, async () => {
        await rows().where('account_id', accountId).update({ network: name, casemapping: null });
      }),
    setCasemapping: (accountId, casemapping) =>
      changing(accountId, async () => {
        await rows().where('account_id', accountId).update({ casemapping });
      }),
    renewBouncerPassword: (accountId) =>
      changing(accountId, async () => {
        const sealed = seal.close(newSecret(), accountId);
        await rows().where('account_id', accountId).update({ bouncer_password_sealed: sealed });
      }),
    ...passwordDebts(database),
    bouncerUser: async (accountId) => {
      const row = await rows().where('account_id', accountId).first();
      if (row === undefined) throw accountRemoved();
      const password = seal.open(row.bouncer_password_sealed, accountId);
      const casemapping = row.casemapping ?? USUAL_CASEMAPPING;
      return { name: row.bouncer_user, password, network: row.network, casemapping };
    },
  };
}

function newRow(seal: Seal, clock: Clock) {
  const accountId = newId('acc');
  return {
    account_id: accountId,
    // Not derived from the nick: a person may get another nick, but the bouncer's user must stay.
    bouncer_user: `homeport-${accountId.slice('acc_'.length).replaceAll('_', '.')}`,
    bouncer_password_sealed: seal.close(newSecret(), accountId),
    created_at: clock.now(),
  };
}

/** Compares texts here, because each database orders them by its own rules. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const nameOf = ({
  account_id: accountId,
  login,
  nick,
}: Pick<AccountRow, 'account_id' | 'login' | 'nick'>): AccountName => ({
  accountId,
  login,
  nick,
});

/** Sorts accounts without a login last. */
function byLogin(a: AccountName, b: AccountName): number {
  if (a.login === null || b.login === null) return Number(a.login === null) - Number(b.login === null);
  return inOrder(a.login, b.login);
}

async function accountIn(transaction: Database, accountId: string): Promise<Account> {
  const found = await transaction<AccountRow>('accounts').where('account_id', accountId).whereNull('removed_at');
  const [account] = await accountsOf(transaction, found);
  if (account === undefined) throw accountGone();
  return account;
}

async function accountsOf(database: Database, rows: readonly AccountRow[]): Promise<Account[]> {
  const grants = await grantsOf(
    database,
    rows.map((row) => row.account_id),
  );
  return rows.map((row) => accountOf(row, grants.get(row.account_id) ?? []));
}

function accountOf(row: AccountRow, grants: readonly Grant[]): Account {
  return {
    accountId: row.account_id,
    login: row.login,
    hasSignedIn: row.subject !== null,
    person: row.issuer === null || row.subject === null ? null : { issuer: row.issuer, subject: row.subject },
    nick: row.nick,
    network: row.network,
    casemapping: row.casemapping ?? USUAL_CASEMAPPING,
    grants: [...grants].sort((a, b) => inOrder(a.channel, b.channel)),
    isOnline: row.online_since !== null,
    lastDisconnectedAt: row.last_disconnected_at === null ? null : Number(row.last_disconnected_at),
  };
}
