import type { Clock } from '../../kernel/clock.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import type { Cache } from './cache.ts';
import { endFamilies } from './consents.ts';
import type { Database } from './database.ts';
import { readEarlierGrants } from './earlier-grants.ts';

interface RecordRow {
  kind: string;
  id_hash: string;
  uid_hash: string | null;
  grant_hash: string | null;
  payload_sealed: string;
  consumed_at: number | null;
  expires_at: number | null;
}

/** With when the consent was last used; null for a record of no consent, or of one that has ended. */
type RecordOfConsent = RecordRow & { last_used_at: number | null };

export interface KeptRecord {
  payload: string;
  consumedAt: number | null;
  endsAt: number;
}

export interface OauthRecordsParts {
  database: Database;
  seal: Seal;
  clock: Clock;
  cache: Cache<KeptRecord>;
}

/** SQLite accepts an offset only after a limit. */
const ALL_ROWS = 1_000_000;

export function createOauthRecords({ database, seal, clock, cache }: OauthRecordsParts): OauthRecords {
  const records = () => database<RecordRow>('oauth_records');
  const record = (kind: string, idHash: string) => records().where({ kind, id_hash: idHash });
  const load = async (by: { kind: string } & ({ id_hash: string } | { uid_hash: string })) => {
    const row = await loadRow(database, by);
    if (row === undefined) return undefined;
    const payload = seal.open(row.payload_sealed, placeOf(row.kind, row.id_hash));
    return { payload, consumedAt: numberOrNull(row.consumed_at), endsAt: endOf(row) };
  };
  return {
    save: (kind, { idHash, uidHash, grantHash, payload, expiresAt }) =>
      cache.change(async () => {
        await records()
          .insert({
            kind,
            id_hash: idHash,
            uid_hash: uidHash,
            grant_hash: grantHash,
            payload_sealed: seal.close(payload, placeOf(kind, idHash)),
            expires_at: expiresAt,
          })
          .onConflict(['kind', 'id_hash'])
          .merge();
      }),
    find: async (kind, by) => {
      const found =
        'idHash' in by
          ? await cache.read(`${kind}/${by.idHash}`, () => load({ kind, id_hash: by.idHash }))
          : await load({ kind, uid_hash: by.uidHash });
      return found !== undefined && found.endsAt >= clock.now() ? found : undefined;
    },
    consume: (kind, idHash) =>
      cache.change(async () => {
        const now = clock.now();
        if ((await record(kind, idHash).whereNull('consumed_at').update({ consumed_at: now })) === 1) return true;
        const { grant_hash: grantHash = null } = (await record(kind, idHash).first('grant_hash')) ?? {};
        if (grantHash !== null) await endFamilies(database, [grantHash]);
        return false;
      }),
    destroy: (kind, idHash) => cache.change(async () => void (await record(kind, idHash).delete())),
    keep: (kind, idHash) => cache.change(async () => void (await record(kind, idHash).update({ expires_at: null }))),
    keepNewest: (kind, count) =>
      cache.change(async () => {
        const surplus = records()
          .where('kind', kind)
          .whereNotNull('expires_at')
          .orderBy([{ column: 'expires_at', order: 'desc' }, { column: 'id_hash' }])
          .limit(ALL_ROWS)
          .offset(count)
          .select('id_hash');
        await records().where('kind', kind).whereIn('id_hash', surplus).delete();
      }),
    removeEnded: async (limit) => {
      const ended = await endedKeys(database, clock.now(), limit);
      if (ended.length > 0) await cache.change(() => records().whereIn(['kind', 'id_hash'], ended).delete());
      return ended.length;
    },
    earlierGrants: (after, limit) => readEarlierGrants({ database, seal, placeOf }, after, limit),
  };
}

/** A sealed payload can be opened only in its place. */
const placeOf = (kind: string, idHash: string): string => `oauth/${kind}/${idHash}`;

/** The record, unless it is of a consent that has ended. */
async function loadRow(database: Database, by: Record<string, string>): Promise<RecordOfConsent | undefined> {
  const conditions = Object.entries(by).map(([column, value]) => [`record.${column}`, value]);
  const row: RecordOfConsent | undefined = await database('oauth_records AS record')
    .leftJoin('consents AS consent', 'consent.grant_hash', 'record.grant_hash')
    .where(Object.fromEntries(conditions))
    .first('record.*', 'consent.last_used_at');
  return row === undefined || (row.grant_hash !== null && row.last_used_at === null) ? undefined : row;
}

/** A record ends with its consent, and a grant only so. */
const endOf = ({ expires_at: expiresAt, last_used_at: lastUsedAt }: RecordOfConsent): number =>
  Math.min(
    numberOrNull(expiresAt) ?? Number.POSITIVE_INFINITY,
    lastUsedAt === null ? Number.POSITIVE_INFINITY : Number(lastUsedAt) + CONSENT_IDLE_MS,
  );

async function endedKeys(database: Database, now: number, limit: number): Promise<string[][]> {
  const records = () => database<RecordRow>('oauth_records').limit(limit).select('kind', 'id_hash');
  const ended = await records().where('expires_at', '<', now).orderBy('expires_at');
  // A grant has no term of its own: when its account was removed, and with it the consent, it would stay.
  const widowed = await records()
    .where('kind', 'Grant')
    .whereNull('expires_at')
    .whereNotExists((consent) => consent.from('consents').whereRaw('consents.grant_hash = oauth_records.grant_hash'));
  return [...ended, ...widowed].slice(0, limit).map(({ kind, id_hash: idHash }) => [kind, idHash]);
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));
