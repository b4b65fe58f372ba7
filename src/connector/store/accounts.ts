import type { Clock } from '../../kernel/clock.ts';
import type { Account } from '../domain/account.ts';
import type { Grant } from '../domain/channel.ts';
import { nickKey } from '../domain/nick.ts';
import type { AccountStore, NewAccount } from '../ports/accounts.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import { newId, newSecret } from '../random.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { grant, grantsLock, grantsOf, revokeOthers, select } from './grants.ts';
import { telling } from './invalidations.ts';
import { freeLogin, takeLogin } from './logins.ts';

interface AccountRow {
  account_id: string;
  login: string | null;
  issuer: string | null;
  subject: string | null;
  nick: string;
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
}

export function createAccountStore({ database, seal, clock, invalidations }: AccountStoreParts): AccountStore {
  const rows = () => database<AccountRow>('accounts');

  const decode = (found: AccountRow[]): Promise<Account[]> => accountsOf(database, found);
  const first = async (found: AccountRow[]): Promise<Account | undefined> => (await decode(found))[0];
  // Each tool call asks for its caller's account.
  const cache = new Cache<Account, 'account'>(invalidations, ['account']);
  const find = (accountId: string) =>
    cache.read(accountId, { account: accountId }, async () => first(await rows().where('account_id', accountId)));
  const changing = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
    telling(invalidations, [['account', accountId]], work);

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
    findByLogin: async (login) => first(await rows().where('login', login)),
    findBySubject: async (issuer, subject) => first(await rows().where({ issuer, subject })),
    list: async () => (await decode(await rows())).sort((a, b) => inOrder(a.login ?? '', b.login ?? '')),
    listOnline: async () => decode(await rows().whereNotNull('online_since')),
    create: async (account, maxAccounts) => {
      const accountId = newId('acc');
      const isCreated = await insertAccount(
        database,
        rowOf(accountId, account, seal, clock),
        account.grants,
        maxAccounts,
      );
      return isCreated ? find(accountId) : undefined;
    },
    bindSubject: (accountId, issuer, subject) =>
      database.transaction(async (transaction) => {
        await lock(transaction, 'accounts');
        const other: unknown = await transaction('accounts')
          .where({ issuer, subject })
          .whereNot('account_id', accountId)
          .first('account_id');
        if (other !== undefined) return false;
        const bound = await transaction('accounts')
          .where('account_id', accountId)
          .where((same) => same.whereNull('subject').orWhere({ issuer, subject }))
          .update({ issuer, subject });
        return bound === 1;
      }),
    takeLogin: (accountId, login) => {
      const changed: Subject[] = [['account', accountId]];
      return telling(invalidations, changed, () =>
        database.transaction(async (transaction) => {
          const lost = await takeLogin(transaction, accountId, login);
          if (lost !== undefined) changed.push(['account', lost]);
          return accountIn(transaction, accountId);
        }),
      );
    },
    freeLogin: (login, person) => {
      const changed: Subject[] = [];
      return telling(invalidations, changed, () =>
        database.transaction(async (transaction) => {
          const lost = await freeLogin(transaction, login, person);
          if (lost !== undefined) changed.push(['account', lost]);
        }),
      );
    },
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
      changing(accountId, async () => {
        await rows().where('account_id', accountId).update({ online_since: since });
      }),
    setDisconnected: (accountId, at) =>
      changing(accountId, async () => {
        await rows().where('account_id', accountId).update({ last_disconnected_at: at });
      }),
    bouncerUser: async (accountId) => {
      const row = await rows().where('account_id', accountId).first();
      if (row === undefined) throw new Error('the account vanished');
      return { name: row.bouncer_user, password: seal.open(row.bouncer_password_sealed, accountId) };
    },
  };
}

function rowOf(accountId: string, { login, nick }: NewAccount, seal: Seal, clock: Clock): object {
  return {
    account_id: accountId,
    login,
    nick,
    nick_key: nickKey(nick),
    // Not derived from the nick: a person may get another nick, but the bouncer's user must stay.
    bouncer_user: `homeport-${accountId.slice('acc_'.length).replaceAll('_', '.')}`,
    bouncer_password_sealed: seal.close(newSecret(), accountId),
    created_at: clock.now(),
  };
}

/** Sorted here, because each database orders texts by its own rules. */
const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Count and insert are one statement each in one transaction, so that two invitations can't pass the limit together. */
async function insertAccount(
  database: Database,
  row: object,
  grants: readonly Grant[],
  maxAccounts: number,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await lock(transaction, 'accounts');
    const [inserted] = await transaction('accounts').insert(row).onConflict().ignore().returning('account_id');
    if (inserted === undefined) return false;
    const [count] = await transaction('accounts').count<{ accounts: number | string }[]>({ accounts: '*' });
    if (Number(count?.accounts) > maxAccounts) {
      await transaction('accounts').where('account_id', inserted.account_id).delete();
      return false;
    }
    const channels = grants.map(({ channel }) => channel);
    await grant(transaction, inserted.account_id, channels);
    await select(transaction, inserted.account_id, enabledOf(grants));
    return true;
  });
}

const enabledOf = (grants: readonly Grant[]): string[] =>
  grants.filter(({ enabled }) => enabled).map(({ channel }) => channel);

async function accountIn(transaction: Database, accountId: string): Promise<Account> {
  const found = await transaction<AccountRow>('accounts').where('account_id', accountId);
  const [account] = await accountsOf(transaction, found);
  if (account === undefined) throw new Error('the account vanished');
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
    nick: row.nick,
    grants: [...grants].sort((a, b) => inOrder(a.channel, b.channel)),
    isOnline: row.online_since !== null,
    lastDisconnectedAt: row.last_disconnected_at === null ? null : Number(row.last_disconnected_at),
  };
}
