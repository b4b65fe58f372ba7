import { LOGIN_ATTEMPTS_OF_NETWORK, LOGIN_ATTEMPTS_OF_PERSON, type RateLimit } from '../domain/limits.ts';
import type { LoginAttemptStore } from '../ports/network-login-store.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { statementClock } from './hold/database-clock.ts';

interface AttemptRow {
  account_id: string;
  network: string;
  at: number | string;
  now: number | string;
}

/** Longest time for which an attempt counts. */
const KEPT_MS = Math.max(
  ...[...LOGIN_ATTEMPTS_OF_PERSON, ...LOGIN_ATTEMPTS_OF_NETWORK].map(({ windowMs }) => windowMs),
);

/** Counts attempts over all processes, by the database's clock. */
export function createLoginAttemptStore(database: Database): LoginAttemptStore {
  const now = statementClock(database);
  return {
    take: (accountId, network) =>
      database.transaction(async (transaction) => {
        // Lock: attempts of all processes are counted one after the other.
        await lock(transaction, 'login attempts');
        const rows: AttemptRow[] = await transaction('login_attempts')
          .where((either) => either.where('account_id', accountId).orWhere('network', network))
          .whereRaw(`at > ${now} - ?`, [KEPT_MS])
          .select('account_id', 'network', 'at', transaction.raw(`${now} AS now`));
        const own = rows.filter((row) => row.account_id === accountId);
        const shared = rows.filter((row) => row.network === network);
        const ofPerson = waitOf(own, LOGIN_ATTEMPTS_OF_PERSON);
        const ofNetwork = waitOf(shared, LOGIN_ATTEMPTS_OF_NETWORK);
        if (ofPerson > 0) return { limit: 'person', waitMs: ofPerson };
        if (ofNetwork > 0) return { limit: 'network', waitMs: ofNetwork };
        const row = { account_id: accountId, network, at: transaction.raw(now) };
        await transaction('login_attempts').insert(row);
        return undefined;
      }),
    removeEnded: (limit) => {
      // Attempts of the future are there if the clock was set back since.
      const ended = database('login_attempts')
        .whereRaw(`at < ${now} - ? OR at > ${now} + ?`, [KEPT_MS, KEPT_MS])
        .limit(limit)
        .select('row');
      return database('login_attempts').whereIn('row', ended).delete();
    },
  };
}

/** Milliseconds until one more attempt is within all limits; 0 if it is now. */
function waitOf(rows: readonly AttemptRow[], limits: readonly RateLimit[]): number {
  const agesMs = rows.map(({ at, now }) => Number(now) - Number(at)).sort((one, other) => one - other);
  const waits = limits.map(({ max, windowMs }) => {
    // A negative age is one of a clock that was set back.
    const ageMs = agesMs.filter((age) => age < windowMs && age > -windowMs)[max - 1];
    return ageMs === undefined ? 0 : windowMs - Math.max(0, ageMs);
  });
  return Math.max(...waits);
}
