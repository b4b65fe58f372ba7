import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { AGENT_SESSION_IDLE_MS } from '../domain/limits.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { AgentSessionStore } from '../ports/store.ts';
import { newId } from '../random.ts';
import { Cache } from './cache.ts';
import { forgetSends } from './counts.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';
import { isFull } from './failures.ts';
import { invalidating } from './shared-invalidations.ts';
import { createStrayRemoval } from './stray-counts.ts';

/** Most sessions of one client in an account: a client that opens one for each call loses its oldest. */
const SESSIONS_PER_CLIENT_MAX = 1_000;

/** Limit for "all rows": SQLite accepts an offset only after a limit. */
const ALL_ROWS = 1_000_000;

const USE_PRECISION_MS = 60_000;

export function createAgentSessionStore(
  database: Database,
  clock: Clock,
  invalidations: Invalidations,
): AgentSessionStore {
  const sessions = () => database('agent_sessions');
  // Each call uses a session; the time of its last use is stored to the minute.
  const used = new Cache<Use, 'session'>(invalidations, ['session']);
  /** Runs a transaction and invalidates the sessions that it ended. */
  const ending = <T>(work: (transaction: Database) => Promise<{ ended: string[]; result: T }>): Promise<T> => {
    const subjects: Subject[] = [];
    return invalidating(invalidations, subjects, () =>
      database.transaction(async (transaction) => {
        const { ended, result } = await work(transaction);
        subjects.push(
          ...ended.flatMap((id): Subject[] => [
            ['session', id],
            ['cursors', id],
          ]),
        );
        return result;
      }),
    );
  };
  const oldestLive = () => clock.now() - AGENT_SESSION_IDLE_MS;
  return {
    create: (accountId, clientId) =>
      ending(async (transaction) => {
        const spare = transaction('agent_sessions')
          .where({ account_id: accountId, client_id: clientId })
          .orderBy('last_used_at', 'desc')
          .limit(ALL_ROWS)
          .offset(SESSIONS_PER_CLIENT_MAX - 1);
        const ended: string[] = await lockable(transaction, spare.select('session_id')).pluck('session_id');
        await end(transaction, ended);
        const sessionId = newId('ses');
        await transaction('agent_sessions').insert({
          session_id: sessionId,
          account_id: accountId,
          client_id: clientId,
          last_used_at: clock.now(),
        });
        return { ended, result: sessionId };
      }),
    ofAccount: async (accountId) => {
      const rows: { client_id: string; sessions: number; last_used_at: number }[] = await sessions()
        .where('account_id', accountId)
        .where('last_used_at', '>=', oldestLive())
        .groupBy('client_id')
        .select('client_id')
        .count({ sessions: 'session_id' })
        .max({ last_used_at: 'last_used_at' });
      return rows.map((row) => ({
        clientId: row.client_id,
        sessions: Number(row.sessions),
        lastUsedAt: Number(row.last_used_at),
      }));
    },
    removeEnded: (limit) =>
      ending(async (transaction) => {
        // Locked, because a session that is used meanwhile stays.
        const ended: string[] = await transaction('agent_sessions')
          .where('last_used_at', '<', oldestLive())
          .limit(limit)
          .forUpdate()
          .pluck('session_id');
        await end(transaction, ended);
        return { ended, result: ended.length };
      }),
    removeStrayCounts: createStrayRemoval(database),
    touch: async (sessionId, accountId, clientId) => {
      const now = clock.now();
      const key = JSON.stringify([sessionId, accountId, clientId, Math.floor(now / USE_PRECISION_MS)]);
      const live = sessions()
        .where({ session_id: sessionId, account_id: accountId, client_id: clientId })
        .where('last_used_at', '>=', oldestLive());
      const use = await used.read(key, { session: sessionId }, () =>
        // Other processes end sessions, so each of them asks often; the use is still stored once a minute.
        invalidations.freshness.alone() === undefined ? unlessStored(live, now) : store(live, now),
      );
      return use !== undefined;
    },
  };
}

interface Use {
  since: number;
}

/** Stores the use of a live session; undefined if it does not live. */
async function store(live: Knex.QueryBuilder, now: number): Promise<Use | undefined> {
  try {
    return (await live.clone().update({ last_used_at: now })) === 1 ? { since: now } : undefined;
  } catch (error) {
    // While the disk is full, reading continues.
    if (!isFull(error)) throw error;
    return (await live.first()) === undefined ? undefined : { since: now };
  }
}

/** Does the same, if no use was stored in the last minute. */
async function unlessStored(live: Knex.QueryBuilder, now: number): Promise<Use | undefined> {
  const session: { last_used_at: number | string } | undefined = await live.clone().first('last_used_at');
  if (session === undefined) return undefined;
  return now - Number(session.last_used_at) < USE_PRECISION_MS ? { since: now } : store(live, now);
}

/**
 * Selects those of the sessions that no other transaction ends at this moment: a client that begins many at once would
 * wait for itself, with a connection each. SQLite has one writer at a time.
 */
function lockable(database: Database, sessions: Knex.QueryBuilder): Knex.QueryBuilder {
  const found = database('agent_sessions').whereIn('session_id', sessions);
  return dialectOf(database) === 'sqlite' ? found : found.forUpdate().skipLocked();
}

/** Deletes sessions with their cursors. */
async function end(database: Database, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await database('agent_sessions')
    .whereIn('session_id', [...sessionIds])
    .delete();
  await forgetSends(database, sessionIds);
}
