import type { Clock } from '../../kernel/clock.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { ClosedAccount, RemovalStore } from '../ports/removal-store.ts';
import { endFamilies } from './consents.ts';
import { forgetSends } from './counts.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { consentSubject } from './oauth-subjects.ts';
import { entriesOf } from './owed-deletions.ts';
import { NO_LOGIN } from './person-logins.ts';
import { invalidating } from './shared-invalidations.ts';

export interface RemovalStoreParts {
  database: Database;
  clock: Clock;
  invalidations: Invalidations;
}

interface ClosedRow {
  account_id: string;
  bouncer_user: string;
  /** SQLite has 0 and 1, PostgreSQL has booleans. */
  has_history: number | boolean;
}

/** An account, or one client's access to it. */
interface Accessed {
  account_id: string;
  client_id?: string;
}

/** Columns that identify an account and its owner, emptied: another account may have the same at once. */
const NAMELESS = { ...NO_LOGIN, issuer: null, subject: null, online_since: null };

export function createRemovalStore({ database, clock, invalidations }: RemovalStoreParts): RemovalStore {
  const closed = () => database('accounts').whereNotNull('removed_at');
  return {
    close: (accountId) => {
      const subjects: Subject[] = [...subjectsOf(accountId), ['owed', accountId]];
      return invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          await lock(transaction, 'accounts');
          const found = await transaction('accounts')
            .where('account_id', accountId)
            .whereNull('removed_at')
            // A nick never contains a blank.
            .update({ ...NAMELESS, nick_key: `removed ${accountId}`, removed_at: clock.now() });
          if (found > 0) subjects.push(...(await endAccess(transaction, accountId)));
          return found > 0;
        }),
      );
    },
    closeClient: (accountId, clientId) => {
      const subjects: Subject[] = [['subscriptions', accountId]];
      return invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          const { sessions, changed } = await endClients(transaction, { account_id: accountId, client_id: clientId });
          await forgetSends(transaction, sessions);
          subjects.push(...changed);
        }),
      );
    },
    closed: async () => {
      const rows: ClosedRow[] = await closed().select(
        'account_id',
        'bouncer_user',
        database.raw('EXISTS ? AS has_history', [entriesOf(database)]),
      );
      return rows.map(
        (row): ClosedAccount => ({
          accountId: row.account_id,
          bouncerUser: row.bouncer_user,
          hasHistory: Boolean(row.has_history),
        }),
      );
    },
    finish: (accountId) => {
      // Not `owed`: a failure is reported like a change, and would wake the worker that has failed.
      const subjects = subjectsOf(accountId);
      return invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          // Repeated: a sign-in or a consent may have been under way when the account was closed.
          subjects.push(...(await endAccess(transaction, accountId)));
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

/** Ends every access to the account; returns the subjects to invalidate. */
async function endAccess(transaction: Database, accountId: string): Promise<Subject[]> {
  const { changed } = await endClients(transaction, { account_id: accountId });
  for (const table of ['browser_sessions', 'network_logins', 'subscriptions', 'calls']) {
    await transaction(table).where('account_id', accountId).delete();
  }
  return changed;
}

/** Ends the consents and sessions of clients; returns the sessions and all subjects to invalidate. */
async function endClients(
  transaction: Database,
  of: Accessed,
): Promise<{ sessions: readonly string[]; changed: Subject[] }> {
  const families: string[] = await transaction('consents').where(of).pluck('grant_hash');
  const endedWithThem = await endFamilies(transaction, families);
  const sessions: string[] = await transaction('agent_sessions').where(of).forUpdate().pluck('session_id');
  await transaction('agent_sessions').where(of).delete();
  const changed = [
    ...families.map(consentSubject),
    ...endedWithThem,
    ...sessions.flatMap((sessionId): Subject[] => [
      ['session', sessionId],
      ['cursors', sessionId],
    ]),
  ];
  return { sessions, changed };
}
