import type { Clock } from '../../kernel/clock.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { ClosedAccount, RemovalStore } from '../ports/removals.ts';
import { endFamilies } from './consents.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { telling } from './invalidations.ts';
import { NO_LOGIN } from './logins.ts';
import { consentSubject } from './oauth-subjects.ts';

export interface RemovalStoreParts {
  database: Database;
  clock: Clock;
  invalidations: Invalidations;
}

/** What an account is known and found by. Another account may have the same at once. */
const NAMELESS = { ...NO_LOGIN, issuer: null, subject: null, online_since: null };

export function createRemovalStore({ database, clock, invalidations }: RemovalStoreParts): RemovalStore {
  const closed = () => database('accounts').whereNotNull('removed_at');
  return {
    close: (accountId) => {
      const told = subjectsOf(accountId);
      return telling(invalidations, told, () =>
        database.transaction(async (transaction) => {
          await lock(transaction, 'accounts');
          const found = await transaction('accounts')
            .where('account_id', accountId)
            .whereNull('removed_at')
            // No nick has a blank.
            .update({ ...NAMELESS, nick_key: `removed ${accountId}`, removed_at: clock.now() });
          if (found > 0) told.push(...(await endAccess(transaction, accountId)));
          return found > 0;
        }),
      );
    },
    closed: async () => {
      const rows: { account_id: string; bouncer_user: string }[] = await closed().select('account_id', 'bouncer_user');
      return rows.map((row): ClosedAccount => ({ accountId: row.account_id, bouncerUser: row.bouncer_user }));
    },
    finish: (accountId) => {
      const told = subjectsOf(accountId);
      return telling(invalidations, told, () =>
        database.transaction(async (transaction) => {
          // Once more: a sign-in or a consent may have been under way when the account was closed.
          told.push(...(await endAccess(transaction, accountId)));
          await transaction('accounts').where('account_id', accountId).whereNotNull('removed_at').delete();
        }),
      );
    },
  };
}

const subjectsOf = (accountId: string): Subject[] => [
  ['account', accountId],
  ['presence', accountId],
  ['entries', accountId],
  ['subscriptions', accountId],
];

/** Ends whatever somebody could still use the account by; gives what that has changed. */
async function endAccess(transaction: Database, accountId: string): Promise<Subject[]> {
  const of = (table: string) => transaction(table).where('account_id', accountId);
  const families: string[] = await of('consents').pluck('grant_hash');
  const endedWithThem = await endFamilies(transaction, families);
  const sessions: string[] = await of('agent_sessions').pluck('session_id');
  for (const table of ['agent_sessions', 'browser_sessions', 'subscriptions']) await of(table).delete();
  return [
    ...families.map(consentSubject),
    ...endedWithThem,
    ...sessions.flatMap((sessionId): Subject[] => [
      ['session', sessionId],
      ['cursors', sessionId],
    ]),
  ];
}
