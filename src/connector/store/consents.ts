import type { Clock } from '../../kernel/clock.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import { isScope } from '../domain/scope.ts';
import type { Consent, ConsentStore, EarlierConsent, NewConsent } from '../ports/consents.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { newId } from '../random.ts';
import type { Database } from './database.ts';
import { grantsWithTerm } from './earlier-grants.ts';
import { telling } from './invalidations.ts';
import { consentSubject, recordSubject } from './oauth-subjects.ts';

interface ConsentRow {
  consent_id: string;
  grant_hash: string;
  account_id: string;
  client_id: string;
  client_name: string;
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
  const oldestStanding = () => clock.now() - CONSENT_IDLE_MS;
  const endAll = (hashes: readonly string[]) =>
    telling(invalidations, hashes.map(consentSubject), () => endFamilies(database, hashes));
  return {
    begin: (consent) =>
      telling(invalidations, [consentSubject(consent.grantHash)], async () => {
        const now = clock.now();
        await consents()
          .insert(rowOf(consent, { createdAt: now, lastUsedAt: now }))
          .onConflict('grant_hash')
          .ignore();
      }),
    ofAccount: async (accountId) => {
      const rows = await consents()
        .where('account_id', accountId)
        .where('last_used_at', '>=', oldestStanding())
        .orderBy([{ column: 'last_used_at', order: 'desc' }, { column: 'consent_id' }]);
      return rows.map(consentOf);
    },
    end: async (accountId, consentId) => {
      const row = await consents().where({ account_id: accountId, consent_id: consentId }).first();
      if (row !== undefined) await endAll([row.grant_hash]);
      return row !== undefined;
    },
    endFamily: (grantHash) => endAll([grantHash]),
    adopt: (earlier) =>
      telling(invalidations, [consentSubject(earlier.grantHash), recordSubject('Grant', earlier.grantHash)], () =>
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

/** Ends consents, and with them everything that was granted by them. */
export async function endFamilies(database: Database, hashes: readonly string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    // The consents first: whoever ends the same one meanwhile waits here.
    await transaction('consents').whereIn('grant_hash', hashes).delete();
    await transaction('oauth_records').whereIn('grant_hash', hashes).delete();
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
  scopes: scopes.join(' '),
  created_at: createdAt,
  last_used_at: lastUsedAt,
});

const consentOf = (row: ConsentRow): Consent => ({
  consentId: row.consent_id,
  accountId: row.account_id,
  clientId: row.client_id,
  clientName: row.client_name,
  scopes: row.scopes.split(' ').filter(isScope),
  createdAt: Number(row.created_at),
  lastUsedAt: Number(row.last_used_at),
});
