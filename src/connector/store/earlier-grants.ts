import type { EarlierGrant } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import type { Database } from './database.ts';

interface GrantRow {
  grant_hash: string;
  payload_sealed: string;
  refreshable_until: number | null;
}

/** Grants of versions without consents: they had a fixed term. A grant with a consent has no term. */
export const grantsWithTerm = (database: Database) =>
  database('oauth_records').where('oauth_records.kind', 'Grant').whereNotNull('oauth_records.expires_at');

export interface EarlierGrantsParts {
  database: Database;
  seal: Seal;
  placeOf: (kind: string, idHash: string) => string;
}

export async function readEarlierGrants(
  { database, seal, placeOf }: EarlierGrantsParts,
  after: string,
  limit: number,
): Promise<EarlierGrant[]> {
  const refreshableUntil = database('oauth_records AS token')
    .where('token.kind', 'RefreshToken')
    .whereRaw('token.grant_hash = oauth_records.grant_hash')
    .max('token.expires_at')
    .as('refreshable_until');
  const rows: GrantRow[] = await grantsWithTerm(database)
    // A grant is a member of its own family: both hashes are the same.
    .where('oauth_records.id_hash', '>', after)
    .orderBy('oauth_records.id_hash')
    .limit(limit)
    .select('oauth_records.grant_hash', 'oauth_records.payload_sealed', refreshableUntil);
  return rows.map((row) => ({
    grantHash: row.grant_hash,
    payload: openOrUndefined(seal, row.payload_sealed, placeOf('Grant', row.grant_hash)),
    refreshableUntil: row.refreshable_until === null ? undefined : Number(row.refreshable_until),
  }));
}

function openOrUndefined(seal: Seal, sealed: string, place: string): string | undefined {
  try {
    return seal.open(sealed, place);
  } catch {
    // None of the keys opens it.
    return undefined;
  }
}
