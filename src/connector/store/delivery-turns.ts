import type { Knex } from 'knex';
import {
  DELIVERIES_FAILING_AT_ONCE,
  DELIVERIES_NOT_FAILING_AT_ONCE,
  DELIVERIES_OF_ACCOUNT_AT_HOST,
  DELIVERIES_OF_ACCOUNT_AT_ONCE,
  DELIVERIES_OF_CLIENT_AT_ONCE,
  DELIVERIES_OF_HOST_AT_ONCE,
  DELIVERIES_OF_SUBSCRIPTION_AT_ONCE,
} from '../domain/limits.ts';
import type { Database } from './database.ts';
import { lookUpEach } from './dialect.ts';
import type { Moment } from './lease-clock.ts';

// Thousands of deliveries may be queued while their receivers are gone, and thousands of subscriptions may have none.
// So the subscriptions are found by their queued deliveries, and only the first few deliveries of each are read: both
// by an index.

const FAILING = 'CASE WHEN subscriptions.failing_since IS NULL THEN 0 ELSE 1 END';

/** Subscriptions with queued deliveries, each found by one index lookup, and among them those that have not expired. */
const queuedAndLiving = (database: Database): string => `
  queued(subscription_id) AS (
    SELECT MIN(deliveries.subscription_id) FROM deliveries
    UNION ALL
    SELECT (SELECT MIN(deliveries.subscription_id) FROM deliveries
      WHERE deliveries.subscription_id > queued.subscription_id)
    FROM queued WHERE queued.subscription_id IS NOT NULL),
  living AS (
    SELECT subscriptions.subscription_id, subscriptions.account_id, subscriptions.client_id, subscriptions.counted_host,
      ${FAILING} AS failing
    FROM queued ${subscriptionOf(database, 'queued')}
    WHERE subscriptions.expires_at > :now)`;

const subscriptionOf = (database: Database, table: string): string =>
  lookUpEach(
    database,
    'subscriptions',
    'subscriptions',
    'subscription_id, account_id, client_id, counted_host, failing_since, expires_at',
    `subscriptions.subscription_id = ${table}.subscription_id`,
  );

/**
 * Queued deliveries of one subscription, in channels that are enabled at this moment: that may have changed since they
 * were queued. Not a join, and with a sign before the lease: otherwise the databases would read and sort the whole
 * queue to find the first.
 */
const WAITING = `
  FROM deliveries AS waiting
  WHERE waiting.subscription_id = living.subscription_id AND +waiting.leased_until <= :now
    AND (SELECT 1 FROM selections
      WHERE selections.account_id = waiting.account_id AND selections.channel = waiting.channel) IS NOT NULL`;

/** Deliveries of the subscription that a process has leased for an attempt. */
const UNDER_WAY = `
  FROM deliveries AS taken
  WHERE taken.subscription_id = living.subscription_id AND taken.leased_until > :now`;

const nthWaiting = (n: number): string => `
  SELECT living.subscription_id, living.account_id, living.client_id, living.counted_host, living.failing,
    (SELECT waiting."row" ${WAITING} AND waiting.due_at <= :now
      ORDER BY waiting.due_at, waiting."row" LIMIT 1 OFFSET ${n}) AS "row"
  FROM living`;

/** The first waiting deliveries of each subscription: no more than it may have under way. */
const FIRST = Array.from({ length: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE }, (_, n) => nthWaiting(n)).join(' UNION ALL ');

/**
 * Those, and the leased deliveries of all processes: they have the first places of each group, so that slow receivers
 * get no more than others. To count them for each delivery instead would take most of the time.
 */
const allOf = (database: Database): string => `
  SELECT first.*, deliveries.due_at, 0 AS leased
  FROM first JOIN deliveries ON deliveries."row" = first."row"
  UNION ALL
  SELECT subscriptions.subscription_id, subscriptions.account_id, subscriptions.client_id, subscriptions.counted_host,
    ${FAILING} AS failing, deliveries."row", deliveries.due_at, 1 AS leased
  FROM deliveries ${subscriptionOf(database, 'deliveries')}
  WHERE deliveries.leased_until > :now`;

/** Columns of each group that has a limit. */
const GROUPS = {
  subscription: 'subscription_id',
  client: 'account_id, client_id',
  account: 'account_id',
  accountAtHost: 'account_id, counted_host',
  host: 'counted_host',
  kind: 'failing',
} as const;

/** Selects the rows of a table with their places in a group, in this order after the leased ones. */
const placed = (table: string, group: keyof typeof GROUPS, place: string, order: string): string => `
  SELECT ${table}.*, ROW_NUMBER() OVER (PARTITION BY ${GROUPS[group]} ORDER BY leased DESC, ${order}) AS ${place}
  FROM ${table}`;

const held = (group: keyof typeof GROUPS): string => `SUM(leased) OVER (PARTITION BY ${GROUPS[group]})`;

/**
 * Steps to the deliveries that are leased next, each for those that fit the limit of the one before. Deliveries whose
 * client, account or kind has all its places are left out first: they must not keep a place at their host from others.
 */
const STEPS = `
  counted AS (SELECT everything.*, ${held('client')} AS of_client, ${held('account')} AS of_account, ${held('kind')} AS of_kind
    FROM everything),
  turns AS (${placed('counted', 'subscription', 'turn', 'due_at, "row"')}
    WHERE leased = 1 OR of_client < :ofClient AND of_account < :ofAccount
      AND (failing = 0 AND of_kind < :ofNotFailing OR failing = 1 AND of_kind < :ofFailing)),
  at_hosts AS (${placed('turns', 'accountAtHost', 'host_turn', 'failing, turn, due_at, "row"')}
    WHERE leased = 1 OR turn <= :ofSubscription),
  of_hosts AS (${placed('at_hosts', 'host', 'host_place', 'failing, host_turn, due_at, "row"')}
    WHERE leased = 1 OR host_turn <= :ofAccountAtHost),
  of_clients AS (${placed('of_hosts', 'client', 'place', 'failing, turn, due_at, "row"')}
    WHERE leased = 1 OR host_place <= :ofHost),
  of_accounts AS (${placed('of_clients', 'account', 'account_place', 'failing, place, due_at, "row"')}
    WHERE leased = 1 OR place <= :ofClient),
  of_all AS (${placed('of_accounts', 'kind', 'last_place', 'account_place, due_at, "row"')}
    WHERE leased = 1 OR account_place <= :ofAccount)`;

/**
 * Returns the rows of due and free deliveries, by turns of accounts, of the clients of each, and of their
 * subscriptions; the oldest first. Leased deliveries count as the first turns, so that slow receivers get no more than
 * others, and never all places. Failing subscriptions come last; they and the healthy ones leave places to each other.
 * A host has places of its own, in all and for each account.
 */
export async function dueInTurn(database: Database, now: Moment, limit: number): Promise<number[]> {
  const due: { row: number | string }[] = await database.from(dueQuery(database, now, limit)).select('row');
  return due.map(({ row }) => Number(row));
}

// Materialized: otherwise SQLite looks for the first deliveries for each reference.
const dueQuery = (database: Database, now: Moment, limit: number): Knex.Raw =>
  database.raw(
    `(WITH RECURSIVE ${queuedAndLiving(database)}, first AS MATERIALIZED (${FIRST}), everything AS (${allOf(database)}),
        ${STEPS}
      SELECT "row" FROM of_all
      WHERE leased = 0 AND (failing = 0 AND last_place <= :ofNotFailing OR failing = 1 AND last_place <= :ofFailing)
      ORDER BY failing, last_place
      LIMIT :limit) AS due`,
    {
      now,
      limit,
      ofSubscription: DELIVERIES_OF_SUBSCRIPTION_AT_ONCE,
      ofAccountAtHost: DELIVERIES_OF_ACCOUNT_AT_HOST,
      ofHost: DELIVERIES_OF_HOST_AT_ONCE,
      ofClient: DELIVERIES_OF_CLIENT_AT_ONCE,
      ofAccount: DELIVERIES_OF_ACCOUNT_AT_ONCE,
      ofFailing: DELIVERIES_FAILING_AT_ONCE,
      ofNotFailing: DELIVERIES_NOT_FAILING_AT_ONCE,
    },
  );

/**
 * Returns the milliseconds until a delivery can be leased: it is due, or a lease ends. Negative if it could be before;
 * undefined if there is none.
 */
export async function nextDueInMs(database: Database, now: Moment): Promise<number | undefined> {
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
    .select(database.raw('MIN(due_at) - :now AS due, MIN(leased_until) - :now AS freed', { now }));
  const known = [times?.due ?? null, times?.freed ?? null].filter((ms) => ms !== null);
  return known.length === 0 ? undefined : Math.min(...known.map(Number));
}
