import type { Knex } from 'knex';
import {
  DELIVERIES_FAILING_AT_ONCE,
  DELIVERIES_NOT_FAILING_AT_ONCE,
  DELIVERIES_OF_ACCOUNT_AT_ONCE,
  DELIVERIES_OF_CLIENT_AT_ONCE,
  DELIVERIES_OF_SUBSCRIPTION_AT_ONCE,
} from '../domain/limits.ts';
import type { Database } from './database.ts';
import { lookUpEach } from './dialect.ts';

// Thousands may wait while their receivers are gone, and thousands may subscribe of whom nothing waits. So the subscriptions
// are found by what waits of them, and of each only the first few deliveries are looked at: both by an index.

const FAILING = 'CASE WHEN subscriptions.failing_since IS NULL THEN 0 ELSE 1 END';

/** Subscriptions that have something in the queue, each found by one look into an index, and of those the ones that live. */
const queuedAndLiving = (database: Database): string => `
  queued(subscription_id) AS (
    SELECT MIN(deliveries.subscription_id) FROM deliveries
    UNION ALL
    SELECT (SELECT MIN(deliveries.subscription_id) FROM deliveries
      WHERE deliveries.subscription_id > queued.subscription_id)
    FROM queued WHERE queued.subscription_id IS NOT NULL),
  living AS (
    SELECT subscriptions.subscription_id, subscriptions.account_id, subscriptions.client_id, ${FAILING} AS failing
    FROM queued ${subscriptionOf(database, 'queued')}
    WHERE subscriptions.expires_at > :now)`;

const subscriptionOf = (database: Database, table: string): string =>
  lookUpEach(
    database,
    'subscriptions',
    'subscriptions',
    'subscription_id, account_id, client_id, failing_since, expires_at',
    `subscriptions.subscription_id = ${table}.subscription_id`,
  );

/**
 * Of one subscription; of channels that are enabled at this moment, because that may have changed since they were queued.
 * No join, and a sign before the lease: else the databases would read and sort all that wait to find the first.
 */
const WAITING = `
  FROM deliveries AS waiting
  WHERE waiting.subscription_id = living.subscription_id AND +waiting.leased_until <= :now
    AND (SELECT 1 FROM selections
      WHERE selections.account_id = waiting.account_id AND selections.channel = waiting.channel) IS NOT NULL`;

/** What one process or another has of it for an attempt. */
const UNDER_WAY = `
  FROM deliveries AS taken
  WHERE taken.subscription_id = living.subscription_id AND taken.leased_until > :now`;

const nthTurn = (n: number): string => `
  SELECT living.account_id, living.client_id, living.failing,
    (SELECT waiting."row" ${WAITING} AND waiting.due_at <= :now
      ORDER BY waiting.due_at, waiting."row" LIMIT 1 OFFSET ${n}) AS "row",
    ${n + 1} + (SELECT COUNT(*) ${UNDER_WAY}) AS turn
  FROM living`;

const TURNS = Array.from({ length: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE }, (_, n) => nthTurn(n)).join(' UNION ALL ');

/** What is under way, of whom. */
const heldOf = (database: Database): string => `
  SELECT subscriptions.account_id, subscriptions.client_id, ${FAILING} AS failing, COUNT(*) AS held
  FROM deliveries ${subscriptionOf(database, 'deliveries')}
  WHERE deliveries.leased_until > :now
  GROUP BY subscriptions.account_id, subscriptions.client_id, ${FAILING}`;

/** The place that each would have among those of its client, counted behind what the client has under way. */
const OF_CLIENTS = `
  SELECT turns.*, deliveries.due_at,
    (SELECT COALESCE(SUM(held.held), 0) FROM held
      WHERE held.account_id = turns.account_id AND held.client_id = turns.client_id)
    + ROW_NUMBER() OVER (PARTITION BY turns.account_id, turns.client_id
      ORDER BY turns.failing, turns.turn, deliveries.due_at, deliveries."row") AS place
  FROM turns JOIN deliveries ON deliveries."row" = turns."row"
  WHERE turns.turn <= :ofSubscription`;

/** The same among those of its account, of what its client has room for. */
const OF_ACCOUNTS = `
  SELECT of_clients.*,
    (SELECT COALESCE(SUM(held.held), 0) FROM held WHERE held.account_id = of_clients.account_id)
    + ROW_NUMBER() OVER (PARTITION BY of_clients.account_id
      ORDER BY of_clients.failing, of_clients.place, of_clients.due_at, of_clients."row") AS account_place
  FROM (${OF_CLIENTS}) AS of_clients
  WHERE of_clients.place <= :ofClient`;

/** The same among all whose receivers fail, and among all others. */
const OF_ALL = `
  SELECT of_accounts.*,
    (SELECT COALESCE(SUM(held.held), 0) FROM held WHERE held.failing = of_accounts.failing)
    + ROW_NUMBER() OVER (PARTITION BY of_accounts.failing
      ORDER BY of_accounts.account_place, of_accounts.due_at, of_accounts."row") AS last_place
  FROM (${OF_ACCOUNTS}) AS of_accounts
  WHERE of_accounts.account_place <= :ofAccount`;

/**
 * Rows that are due and that nobody has, by turns of accounts, of the clients of each, and of their subscriptions; the oldest
 * first. What is under way counts as the first turns, so that receivers which take long get no more than others, and never
 * all places. Those that failed last time come last; they and the others leave places to each other.
 */
export async function dueInTurn(database: Database, now: number, limit: number): Promise<number[]> {
  const due: { row: number | string }[] = await database.from(dueQuery(database, now, limit)).select('row');
  return due.map(({ row }) => Number(row));
}

// The turns are worked out once: else SQLite does so for each place where they are named.
const dueQuery = (database: Database, now: number, limit: number): Knex.Raw =>
  database.raw(
    `(WITH RECURSIVE ${queuedAndLiving(database)}, held AS (${heldOf(database)}), turns AS MATERIALIZED (${TURNS})
      SELECT "row" FROM (${OF_ALL}) AS of_all
      WHERE failing = 0 AND last_place <= :ofNotFailing OR failing = 1 AND last_place <= :ofFailing
      ORDER BY failing, last_place
      LIMIT :limit) AS due`,
    {
      now,
      limit,
      ofSubscription: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE,
      ofClient: DELIVERIES_OF_CLIENT_AT_ONCE,
      ofAccount: DELIVERIES_OF_ACCOUNT_AT_ONCE,
      ofFailing: DELIVERIES_FAILING_AT_ONCE,
      ofNotFailing: DELIVERIES_NOT_FAILING_AT_ONCE,
    },
  );

/** When the next one can be taken: it is due then, or whoever has one should have settled it. */
export async function nextDueAt(database: Database, now: number): Promise<number | undefined> {
  const [times]: Record<'due' | 'freed', number | string | null>[] = await database
    .from(
      database.raw(
        `(WITH RECURSIVE ${queuedAndLiving(database)}
        SELECT
          (SELECT waiting.due_at ${WAITING} ORDER BY waiting.due_at LIMIT 1) AS due_at,
          (SELECT MIN(taken.leased_until) ${UNDER_WAY}) AS leased_until
        FROM living) AS times`,
        { now },
      ),
    )
    .select(database.raw('MIN(due_at) AS due, MIN(leased_until) AS freed'));
  const known = [times?.due ?? null, times?.freed ?? null].filter((at) => at !== null);
  return known.length === 0 ? undefined : Math.min(...known.map(Number));
}
