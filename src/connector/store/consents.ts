import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import {
  isPersonalTokenClient,
  PERSONAL_TOKEN_PREFIX,
  PERSONAL_TOKENS_MAX,
  personalTokenClient,
} from '../domain/personal-token.ts';
import { isScope } from '../domain/scope.ts';
import type { Consent, ConsentStore, EarlierConsent, NewConsent } from '../ports/consent-store.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import { newId, newSecret } from '../random.ts';
import { requireStanding } from './account-changes.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { grantsWithTerm } from './earlier-grants.ts';
import { consentSubject, recordSubject } from './oauth-subjects.ts';
import { invalidating } from './shared-invalidations.ts';
import { endUnread } from './subscriptions.ts';

interface ConsentRow {
  consent_id: string;
  grant_hash: string;
  account_id: string;
  client_id: string;
  client_name: string;
  given_name: string | null;
  scopes: string;
  created_at: number;
  last_used_at: number;
}

export interface ConsentStoreParts {
  database: Database;
  clock: Clock;
  invalidations: Invalidations;
}

export function createConsentStore({ database, clock, invalidations }: ConsentStoreParts): ConsentStore {
  const consents = () => database<ConsentRow>('consents');
  // Each request with a token looks up its consent.
  const standing = new Cache<Consent, 'oauth'>(invalidations, ['oauth']);
  const oldestStanding = () => clock.now() - CONSENT_IDLE_MS;
  const endAll = (hashes: readonly string[]): Promise<void> => {
    const subjects = hashes.map(consentSubject);
    return invalidating(
      invalidations,
      subjects,
      async () => void subjects.push(...(await endFamilies(database, hashes))),
    );
  };
  const endOf = async (of: Partial<ConsentRow>) => endAll(await consents().where(of).pluck('grant_hash'));
  return {
    begin: (consent) =>
      invalidating(invalidations, [consentSubject(consent.grantHash)], async () => {
        const now = clock.now();
        await database.transaction(async (transaction) => {
          await lock(transaction, `consents of ${consent.accountId}`);
          await requireStanding(transaction, consent.accountId);
          const earlier = await standingOf(transaction, consent, oldestStanding()).first('given_name');
          const row = rowOf(consent, { createdAt: now, lastUsedAt: now });
          await transaction<ConsentRow>('consents')
            .insert({ ...row, given_name: earlier?.given_name ?? null })
            .onConflict('grant_hash')
            .ignore();
        });
      }),
    beginToken: (consent, endsAt) => beginToken({ database, clock, invalidations }, consent, endsAt),
    standing: async (grantHash) => {
      const found = await standing.read(grantHash, { oauth: grantHash }, async () => {
        const row = await consents().where('grant_hash', grantHash).first();
        return row && consentOf(row);
      });
      const endsAt = (found?.lastUsedAt ?? 0) + CONSENT_IDLE_MS;
      return found === undefined || endsAt <= clock.now() ? undefined : { ...found, endsAt };
    },
    ofAccount: async (accountId) => {
      const rows = await consents()
        .where('account_id', accountId)
        .where('last_used_at', '>=', oldestStanding())
        .orderBy([{ column: 'last_used_at', order: 'desc' }, { column: 'consent_id' }]);
      return rows.map(consentOf);
    },
    rename: (accountId, consentId, name) => {
      const subjects: Subject[] = [];
      return invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          await lock(transaction, `consents of ${accountId}`);
          const named = await transaction<ConsentRow>('consents')
            .where({ account_id: accountId, consent_id: consentId })
            .where('last_used_at', '>=', oldestStanding())
            .first('client_id');
          if (named === undefined) return false;
          const all = () => standingOf(transaction, { accountId, clientId: named.client_id }, oldestStanding());
          subjects.push(...(await all().pluck('grant_hash')).map(consentSubject));
          await all().update({ given_name: name });
          return true;
        }),
      );
    },
    isAllowed: async (clientId) => {
      const standing = consents().where('client_id', clientId).where('last_used_at', '>=', oldestStanding());
      return (await standing.first('consent_id')) !== undefined;
    },
    end: async (accountId, consentId) => {
      const row = await consents().where({ account_id: accountId, consent_id: consentId }).first();
      if (row !== undefined) await endAll([row.grant_hash]);
      return row !== undefined;
    },
    endClient: (accountId, clientId) => endOf({ account_id: accountId, client_id: clientId }),
    endAccount: (accountId) => endOf({ account_id: accountId }),
    endFamily: (grantHash) => endAll([grantHash]),
    adopt: (earlier) =>
      invalidating(invalidations, [consentSubject(earlier.grantHash), recordSubject('Grant', earlier.grantHash)], () =>
        adopt(database, earlier),
      ),
    removeEnded: async (limit) => {
      const hashes = await consents()
        .where('last_used_at', '<', oldestStanding())
        .orderBy('last_used_at')
        .limit(limit)
        .pluck('grant_hash');
      if (hashes.length > 0) await endAll(hashes);
      return hashes.length;
    },
  };
}

/** Selects the consents of one client that stand. */
const standingOf = (
  transaction: Database,
  { accountId, clientId }: Pick<NewConsent, 'accountId' | 'clientId'>,
  oldestStanding: number,
) =>
  transaction<ConsentRow>('consents')
    .where({ account_id: accountId, client_id: clientId })
    .where('last_used_at', '>=', oldestStanding);

async function beginToken(
  { database, clock, invalidations }: ConsentStoreParts,
  consent: Pick<NewConsent, 'accountId' | 'clientName' | 'scopes'>,
  endsAt: number,
): Promise<{ token: string; clientId: string } | undefined> {
  const { accountId } = consent;
  const token = `${PERSONAL_TOKEN_PREFIX}${newSecret()}`;
  const grantHash = secretHash(token);
  const clientId = personalTokenClient(grantHash);
  const isBegun = await invalidating(invalidations, [consentSubject(grantHash)], () =>
    database.transaction(async (transaction) => {
      await lock(transaction, `consents of ${accountId}`);
      await requireStanding(transaction, accountId);
      const clients: string[] = await transaction<ConsentRow>('consents')
        .where('account_id', accountId)
        .where('last_used_at', '>=', clock.now() - CONSENT_IDLE_MS)
        .pluck('client_id');
      if (clients.filter(isPersonalTokenClient).length >= PERSONAL_TOKENS_MAX) return false;
      // A consent stands for `CONSENT_IDLE_MS` after its last use. This one has no grant that is ever used, so its last
      // use never moves.
      const times = { createdAt: clock.now(), lastUsedAt: endsAt - CONSENT_IDLE_MS };
      await transaction<ConsentRow>('consents').insert(rowOf({ ...consent, clientId, grantHash }, times));
      return true;
    }),
  );
  return isBegun ? { token, clientId } : undefined;
}

/** Ends consents, and with them everything that was granted by them. Returns what else to invalidate. */
export async function endFamilies(database: Database, hashes: readonly string[]): Promise<Subject[]> {
  return database.transaction(async (transaction) => {
    const consents = () => transaction<ConsentRow>('consents').whereIn('grant_hash', hashes);
    // Lock order: consents first. A transaction that ends the same consent meanwhile waits here.
    const ended = await consents().forUpdate().select('account_id', 'client_id');
    await consents().delete();
    await transaction('oauth_records').whereIn('grant_hash', hashes).delete();
    const clients = ended.map(({ account_id: accountId, client_id: clientId }) => ({ accountId, clientId }));
    return endUnread(transaction, clients);
  });
}

function adopt(database: Database, earlier: EarlierConsent): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const account = await transaction('accounts').where('account_id', earlier.accountId).first('account_id');
    if (account === undefined) return false;
    const { createdAt, lastUsedAt = createdAt } = earlier;
    const row = rowOf(earlier, { createdAt, lastUsedAt });
    await transaction<ConsentRow>('consents').insert(row).onConflict('grant_hash').ignore();
    await grantsWithTerm(transaction).where('grant_hash', earlier.grantHash).update({ expires_at: null });
    return true;
  });
}

const rowOf = (
  { grantHash, accountId, clientId, clientName, scopes }: NewConsent,
  { createdAt, lastUsedAt }: Pick<Consent, 'createdAt' | 'lastUsedAt'>,
): ConsentRow => ({
  consent_id: newId('con'),
  grant_hash: grantHash,
  account_id: accountId,
  client_id: clientId,
  client_name: clientName,
  given_name: null,
  scopes: scopes.join(' '),
  created_at: createdAt,
  last_used_at: lastUsedAt,
});

const consentOf = (row: ConsentRow): Consent => ({
  consentId: row.consent_id,
  accountId: row.account_id,
  clientId: row.client_id,
  clientName: row.client_name,
  givenName: row.given_name,
  scopes: row.scopes.split(' ').filter(isScope),
  createdAt: Number(row.created_at),
  lastUsedAt: Number(row.last_used_at),
});
