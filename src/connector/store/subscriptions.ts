import type { Clock } from '../../kernel/clock.ts';
import type { Caller } from '../domain/account.ts';
import { countedHost } from '../domain/counted-host.ts';
import { CONSENT_IDLE_MS, RENEWAL_MAX_MS, SECRET_OVERLAP_MS, SUBSCRIPTIONS_PER_CLIENT } from '../domain/limits.ts';
import type { MentionFilters } from '../domain/mention-filters.ts';
import { PERSONAL_CLIENT_PREFIX } from '../domain/personal-token.ts';
import type { Scope } from '../domain/scope.ts';
import type { CallbackFailure } from '../ports/callbacks.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import type {
  Callback,
  Subscribed,
  Subscription,
  SubscriptionStore,
  WantedSubscription,
} from '../ports/subscription-store.ts';
import { Cache } from './cache.ts';
import { openCallback, sealCallback } from './callback-seal.ts';
import type { Database } from './database.ts';
import { type DroppedCounts, droppedOf, forgetDropped } from './delivery-queue.ts';
import { lock } from './dialect.ts';
import { invalidating } from './shared-invalidations.ts';

export interface SubscriptionRow {
  subscription_id: string;
  account_id: string;
  client_id: string;
  client_name: string;
  /** `MentionFilters` as JSON. */
  filters: string;
  channel: string | null;
  callback_host: string;
  /** The host as limits count it: see `countedHost`. */
  counted_host: string;
  callback_sealed: string;
  verified_at: number;
  created_at: number;
  expires_at: number;
  outcome: 'accepted' | 'failed' | null;
  outcome_row: number;
  outcome_at: number | null;
  accepted_at: number | null;
  failing_since: number | null;
  last_failure: CallbackFailure | null;
}

export interface SubscriptionStoreParts {
  database: Database;
  /** See `OpenDatabase`. */
  readers: Database;
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
}

/** Scope without which a subscription delivers nothing. */
const READING: Scope = 'irc:read';

export function createSubscriptionStore(parts: SubscriptionStoreParts): SubscriptionStore {
  const { database, readers, seal, clock, invalidations } = parts;
  // Each call for account information reads it; a change of the enabled channels pauses some of them.
  const cache = new Cache<readonly Subscription[], 'subscriptions' | 'account'>(invalidations, [
    'subscriptions',
    'account',
  ]);
  const changing = <T>(accountId: string, work: (transaction: Database) => Promise<T>): Promise<T> =>
    invalidating(invalidations, [['subscriptions', accountId]], () => database.transaction(work));
  return {
    ofAccount: async (accountId) => {
      const from = { subscriptions: accountId, account: accountId };
      const known = await cache.read(accountId, from, () => subscriptionsOf(readers, accountId));
      const now = clock.now();
      return (known ?? []).filter(({ expiresAt }) => expiresAt > now);
    },
    verifiedAt: async ({ accountId, clientId }, { url, secret }) => {
      const rows = await database<SubscriptionRow>('subscriptions')
        .where({ account_id: accountId, client_id: clientId })
        .orderBy('verified_at', 'desc');
      const same = rows.find(({ subscription_id: id, callback_sealed: sealed }) => {
        const callback = openCallback(seal, id, sealed);
        return callback?.url === url && callback.secret === secret;
      });
      return same === undefined ? undefined : Number(same.verified_at);
    },
    put: (wanted) => changing(wanted.accountId, (transaction) => put(transaction, wanted, { seal, now: clock.now() })),
    end: (accountId, subscriptionId) =>
      changing(accountId, async (transaction) => {
        const ended = { account_id: accountId, subscription_id: subscriptionId };
        return (await transaction('subscriptions').where(ended).delete()) === 1;
      }),
    endOfPersonalTokens: async () => {
      const ofTokens = () =>
        database<SubscriptionRow>('subscriptions').whereRaw('substr(client_id, 1, ?) = ?', [
          PERSONAL_CLIENT_PREFIX.length,
          PERSONAL_CLIENT_PREFIX,
        ]);
      const accountIds: string[] = await ofTokens().distinct('account_id').pluck('account_id');
      if (accountIds.length === 0) return;
      const subjects = accountIds.map((accountId): Subject => ['subscriptions', accountId]);
      await invalidating(invalidations, subjects, () => ofTokens().whereIn('account_id', accountIds).delete());
    },
    removeEnded: async (limit) => {
      const longExpired = () =>
        database<SubscriptionRow>('subscriptions').where('expires_at', '<=', clock.now() - RENEWAL_MAX_MS);
      const ended = await longExpired().limit(limit).select('subscription_id', 'account_id');
      const ids = ended.map(({ subscription_id: id }) => id);
      const subjects = ended.map(({ account_id: accountId }): Subject => ['subscriptions', accountId]);
      // A subscription that is renewed meanwhile stays.
      if (ids.length > 0) {
        await invalidating(invalidations, subjects, () => longExpired().whereIn('subscription_id', ids).delete());
      }
      await forgetDropped(database);
      return ids.length;
    },
  };
}

/**
 * Ends the subscriptions of clients that lost the read scope. Call it in the transaction that has ended some of their
 * consents. Returns the subjects to invalidate.
 */
export async function endUnread(transaction: Database, clients: readonly Caller[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { accountId, clientId } of clients) {
    const client = { account_id: accountId, client_id: clientId };
    const scopes: string[] = await transaction('consents').where(client).pluck('scopes');
    if (scopes.some(allowsReading)) continue;
    const count = await transaction('subscriptions').where(client).delete();
    if (count > 0) subjects.push(['subscriptions', accountId]);
  }
  return subjects;
}

const allowsReading = (scopes: string): boolean => scopes.split(' ').includes(READING);

async function put(
  transaction: Database,
  wanted: WantedSubscription,
  { seal, now }: { seal: Seal; now: number },
): Promise<Subscribed> {
  const { accountId, clientId, subscriptionId, channel } = wanted;
  const client = { account_id: accountId, client_id: clientId };
  const rows = () => transaction<SubscriptionRow>('subscriptions');
  const own = () => rows().where({ ...client, subscription_id: subscriptionId });
  // Lock: otherwise two new subscriptions could both be the last within the limit.
  await lock(transaction, `subscriptions of ${accountId}`);
  const clientName = (await isOpen(transaction, accountId)) ? await readerName(transaction, wanted, now) : undefined;
  if (clientName === undefined) return 'access_ended';
  // An expired subscription begins anew; a renewal that began in time goes on, though it has expired since.
  if (!wanted.isRenewal) await own().where('expires_at', '<=', now).delete();
  // Lock: a transaction that ends it meanwhile waits, and then ends the renewed one.
  const known = await own().forNoKeyUpdate().first();
  if (known === undefined) {
    if (wanted.isRenewal) return 'ended';
    if (channel !== undefined && !(await isEnabled(transaction, accountId, channel))) return 'channel_not_enabled';
    const living = await rows().where(client).where('expires_at', '>', now).pluck('subscription_id');
    if (living.length >= SUBSCRIPTIONS_PER_CLIENT) return 'full';
  }
  const changed = {
    client_name: clientName,
    filters: JSON.stringify(wanted.filters),
    channel: channel ?? null,
    callback_host: new URL(wanted.callback.url).host,
    counted_host: countedHost(wanted.callback.url),
    callback_sealed: sealCallback(seal, subscriptionId, {
      ...wanted.callback,
      former: known === undefined ? null : formerSecret(seal, known, wanted.callback, now),
    }),
    verified_at: wanted.verifiedAt,
    expires_at: wanted.expiresAt,
  };
  if (known === undefined) {
    await rows().insert({ subscription_id: subscriptionId, ...client, ...changed, created_at: now });
    // Count of an earlier subscription with the same filters and callback.
    await transaction('dropped_deliveries').where('subscription_id', subscriptionId).delete();
    return 'begun';
  }
  await own().update(changed);
  return 'renewed';
}

/** Whether the account exists and is not being removed: its removal waits from here on. */
async function isOpen(transaction: Database, accountId: string): Promise<boolean> {
  // Lock order: the account before its consents, as in its removal. The other order can deadlock.
  const account: unknown = await transaction('accounts')
    .where('account_id', accountId)
    .whereNull('removed_at')
    .forKeyShare()
    .first('account_id');
  return account !== undefined;
}

/** Returns the client's name in the newest consent with the read scope; undefined if it may not read. */
async function readerName(
  transaction: Database,
  { accountId, clientId }: Caller,
  now: number,
): Promise<string | undefined> {
  // Lock: a transaction that ends a consent meanwhile waits, and then finds the subscription.
  const consents: { client_name: string; scopes: string }[] = await transaction('consents')
    .where({ account_id: accountId, client_id: clientId })
    .where('last_used_at', '>=', now - CONSENT_IDLE_MS)
    .orderBy('created_at', 'desc')
    .forKeyShare()
    .select('client_name', 'scopes');
  return consents.find(({ scopes }) => allowsReading(scopes))?.client_name;
}

async function isEnabled(transaction: Database, accountId: string, channel: string): Promise<boolean> {
  const selection: unknown = await transaction('selections').where({ account_id: accountId, channel }).first('channel');
  return selection !== undefined;
}

/** Returns the former secret that still signs; a renewal with the same secret keeps it. */
function formerSecret(
  seal: Seal,
  { subscription_id: id, callback_sealed: sealed }: SubscriptionRow,
  { secret }: Callback,
  now: number,
): { secret: string; until: number } | null {
  const before = openCallback(seal, id, sealed);
  if (before === undefined) return null;
  return before.secret === secret ? before.former : { secret: before.secret, until: now + SECRET_OVERLAP_MS };
}

async function subscriptionsOf(database: Database, accountId: string): Promise<Subscription[]> {
  const rows: (SubscriptionRow & { enabled: string | null })[] = await database<SubscriptionRow>('subscriptions')
    .leftJoin('selections', (join) =>
      join.on('selections.account_id', 'subscriptions.account_id').andOn('selections.channel', 'subscriptions.channel'),
    )
    .where('subscriptions.account_id', accountId)
    .orderBy(['subscriptions.created_at', 'subscriptions.subscription_id'])
    .select('subscriptions.*', 'selections.channel as enabled');
  if (rows.length === 0) return [];
  const queued: string[] = await database('deliveries')
    .where('account_id', accountId)
    .distinct('subscription_id')
    .pluck('subscription_id');
  const dropped = await droppedOf(
    database,
    rows.map(({ subscription_id: id }) => id),
  );
  return rows.map((row) => subscriptionOf(row, { queued: new Set(queued), dropped }));
}

const subscriptionOf = (
  row: SubscriptionRow & { enabled: string | null },
  { queued, dropped }: { queued: ReadonlySet<string>; dropped: DroppedCounts },
): Subscription => ({
  subscriptionId: row.subscription_id,
  accountId: row.account_id,
  clientId: row.client_id,
  clientName: row.client_name,
  filters: JSON.parse(row.filters) as MentionFilters,
  callbackHost: row.callback_host,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  isPaused: row.channel !== null && row.enabled === null,
  state: queued.has(row.subscription_id) ? 'queued' : (row.outcome ?? 'idle'),
  outcomeAt: timeOrNull(row.outcome_at),
  acceptedAt: timeOrNull(row.accepted_at),
  failingSince: timeOrNull(row.failing_since),
  lastFailure: row.last_failure,
  droppedCount: dropped.get(row.subscription_id) ?? 0,
});

const timeOrNull = (time: number | null): number | null => (time === null ? null : Number(time));
