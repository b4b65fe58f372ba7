import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { grant, grantsLock } from './grants.ts';

interface LoginRow {
  account_id: string;
  login: string | null;
  issuer: string | null;
  subject: string | null;
}

/**
 * Gives an account the login that its person has now. Whoever had it before has it no longer: the account of another person
 * is without one until they sign in again. An invitation that nobody has answered was for this person; its channels are
 * granted to them.
 * @returns the account that had the login, if there was one
 */
export async function takeLogin(transaction: Database, accountId: string, login: string): Promise<string | undefined> {
  await lock(transaction, 'accounts');
  const accounts = () => transaction<LoginRow>('accounts');
  const holder = await accounts()
    .where('login', login)
    .whereNot('account_id', accountId)
    .first('account_id', 'subject');
  if (holder?.subject === null) await answerInvitation(transaction, holder.account_id, accountId);
  else if (holder !== undefined) await accounts().where('account_id', holder.account_id).update({ login: null });
  await accounts().where('account_id', accountId).update({ login });
  return holder?.account_id;
}

/** Takes a login from the account of another person than this one. Returns the account, if there was one. */
export async function freeLogin(
  transaction: Database,
  login: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> {
  await lock(transaction, 'accounts');
  const [lost] = await transaction<LoginRow>('accounts')
    .where('login', login)
    .whereNotNull('subject')
    .whereNot((same) => same.where({ issuer, subject }))
    .update({ login: null })
    .returning('account_id');
  return lost?.account_id;
}

/** Nobody has signed in to the invited account: it has channels and nothing else. */
async function answerInvitation(transaction: Database, invited: string, accountId: string): Promise<void> {
  await grantsLock(transaction, accountId);
  const channels: string[] = await transaction('grants').where('account_id', invited).pluck('channel');
  await transaction('accounts').where('account_id', invited).delete();
  await grant(transaction, accountId, channels);
}
