import type { Knex } from 'knex';
import { DELIVERIES_OF_SUBSCRIPTION_AT_ONCE } from '../domain/limits.ts';
import type { Database } from './database.ts';

// Thousands may wait while their receivers are gone. So of each subscription that lives only the first few are looked at,
// by an index.

/**
 * Of one subscription; of channels that are enabled at this moment, because that may have changed since they were queued.
 * No join, and a sign before the lease: else the databases would read and sort all that wait to find the first.
 */
const WAITING = `
  FROM deliveries AS waiting
  WHERE waiting.subscription_id = subscriptions.subscription_id AND +waiting.leased_until <= :now
    AND (SELECT 1 FROM selections
      WHERE selections.account_id = waiting.account_id AND selections.channel = waiting.channel) IS NOT NULL`;

/** What one process or another has of it for an attempt. */
const UNDER_WAY = `
  FROM deliveries AS taken
  WHERE taken.subscription_id = subscriptions.subscription_id AND taken.leased_until > :now`;

const LIVING = 'FROM subscriptions WHERE subscriptions.expires_at > :now';

const nthTurn = (n: number): string => `
  SELECT
    (SELECT waiting."row" ${WAITING} AND waiting.due_at <= :now
      ORDER BY waiting.due_at, waiting."row" LIMIT 1 OFFSET ${n}) AS "row",
    ${n + 1} + (SELECT COUNT(*) ${UNDER_WAY}) AS turn
  ${LIVING}`;

const TURNS = Array.from({ length: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE }, (_, n) => nthTurn(n)).join(' UNION ALL ');

/**
 * Rows that are due and that nobody has, the oldest first, by turns of their subscriptions: what is under way for one
 * counts as its first turns, so that a receiver which takes long gets no more than the others, and never more than a few.
 */
export const dueInTurn = (database: Database, now: number, limit: number): Knex.Raw =>
  database.raw(
    `SELECT deliveries."row" FROM (${TURNS}) AS turns
      JOIN deliveries ON deliveries."row" = turns."row"
      WHERE turns.turn <= :most
      ORDER BY turns.turn, deliveries.due_at, deliveries."row"
      LIMIT :limit`,
    { now, most: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE, limit },
  );

/** When the next one can be taken: it is due then, or whoever has one should have settled it. */
export async function nextDueAt(database: Database, now: number): Promise<number | undefined> {
  const [times]: Record<'due' | 'freed', number | string | null>[] = await database
    .from(
      database.raw(
        `(SELECT
          (SELECT waiting.due_at ${WAITING} ORDER BY waiting.due_at LIMIT 1) AS due_at,
          (SELECT MIN(taken.leased_until) ${UNDER_WAY}) AS leased_until
        ${LIVING}) AS living`,
        { now },
      ),
    )
    .select(database.raw('MIN(due_at) AS due, MIN(leased_until) AS freed'));
  const known = [times?.due ?? null, times?.freed ?? null].filter((at) => at !== null);
  return known.length === 0 ? undefined : Math.min(...known.map(Number));
}
