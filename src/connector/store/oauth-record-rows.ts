import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { CONSENT_IDLE_MS } from '../domain/limits.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import { type OauthRecord, type OauthRecords, SUCCESSOR } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import { admit } from './admitted-records.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { readEarlierGrants } from './earlier-grants.ts';
import { consentSubject, recordSubject } from './oauth-subjects.ts';
import { RecentUses } from './recent-uses.ts';
import { type NewRecordRow, redeem } from './redemption.ts';
import { createClientRelease } from './released-clients.ts';
import { invalidating } from './shared-invalidations.ts';
import { UnheardAnswers } from './unheard-answers.ts';

interface RecordRow extends NewRecordRow {
  consumed_at: number | null;
  origin_hash: string | null;
  busy_until: number | null;
}

interface ConsentUse {
  grant_hash: string;
  last_used_at: number;
}

/** Record as it is stored; its consent decides whether it is valid. */
interface StoredRecord {
  payload: string;
  grantHash: string | null;
  consumedAt: number | null;
  expiresAt: number | null;
}

export interface OauthRecordsParts {
  database: Database;
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
}

/** Cache size: a registration and a grant for each of 10,000 clients. */
const RECORDS_MAX = 20_000;
/** Kind of the records that each request looks up. */
const TOKEN = 'AccessToken';

export function createOauthRecords({ database, seal, clock, invalidations }: OauthRecordsParts): OauthRecords {
  const records = () => database<RecordRow>('oauth_records');
  const record = (kind: string, idHash: string) => records().where({ kind, id_hash: idHash });
  // Each request looks up its token, and the token's consent; a person's decision continues at another process.
  const tokenCache = new Cache<StoredRecord, 'oauth'>(invalidations, ['oauth']);
  const recordCache = new Cache<StoredRecord, 'oauth'>(invalidations, ['oauth'], { max: RECORDS_MAX, isStrict: true });
  const uses = new RecentUses(clock);
  const unheard = new UnheardAnswers(clock);
  const consentCache = new Cache<{ lastUsedAt: number }, 'oauth'>(invalidations, ['oauth']);
  const load = async (by: Partial<RecordRow>): Promise<StoredRecord | undefined> => {
    const row = await records().where(by).first();
    if (row === undefined) return undefined;
    return {
      payload: seal.open(row.payload_sealed, placeOf(row.kind, row.id_hash)),
      grantHash: row.grant_hash,
      consumedAt: numberOrNull(row.consumed_at),
      expiresAt: numberOrNull(row.expires_at),
    };
  };
  const stored = (kind: string, idHash: string) => {
    const [, key] = recordSubject(kind, idHash);
    return (kind === TOKEN ? tokenCache : recordCache).read(key, { oauth: key }, () => load({ kind, id_hash: idHash }));
  };
  const consentOf = (grantHash: string) => {
    const [, key] = consentSubject(grantHash);
    return consentCache.read(key, { oauth: key }, async () => {
      const row = await database<ConsentUse>('consents').where('grant_hash', grantHash).first('last_used_at');
      return row === undefined ? undefined : { lastUsedAt: Number(row.last_used_at) };
    });
  };
  /** Returns the end of a record: it ends with its consent, a grant only so. Undefined if its consent has ended. */
  const endOf = async ({ grantHash, expiresAt }: StoredRecord): Promise<number | undefined> => {
    const ownEnd = expiresAt ?? Number.POSITIVE_INFINITY;
    if (grantHash === null) return ownEnd;
    const consent = await consentOf(grantHash);
    return consent === undefined ? undefined : Math.min(ownEnd, consent.lastUsedAt + CONSENT_IDLE_MS);
  };
  const changing = <T>(kind: string, idHash: string, work: () => Promise<T>): Promise<T> =>
    invalidating(invalidations, [recordSubject(kind, idHash)], work);
  const rowOf = (kind: string, { idHash, uidHash, grantHash, payload, expiresAt }: OauthRecord): NewRecordRow => ({
    kind,
    id_hash: idHash,
    uid_hash: uidHash,
    grant_hash: grantHash,
    payload_sealed: seal.close(payload, placeOf(kind, idHash)),
    expires_at: expiresAt,
  });
  return {
    save: (kind, given) =>
      changing(kind, given.idHash, async () => {
        await records().insert(rowOf(kind, given)).onConflict(['kind', 'id_hash']).merge();
      }),
    find: async (kind, by) => {
      const found = await ('idHash' in by ? stored(kind, by.idHash) : load({ kind, uid_hash: by.uidHash }));
      const endsAt = found === undefined ? undefined : await endOf(found);
      if (found === undefined || endsAt === undefined || endsAt < clock.now()) return undefined;
      return { payload: found.payload, consumedAt: found.consumedAt, endsAt };
    },
    redeem: async ({ consumed, issued, isAwaited = () => true }) => {
      const rows = issued.map(({ kind, ...given }) => rowOf(kind, given));
      const grantHash = (await stored(consumed.kind, consumed.idHash))?.grantHash ?? null;
      const subjects = [recordSubject(consumed.kind, consumed.idHash)];
      if (grantHash !== null) subjects.push(consentSubject(grantHash));
      const invalidate = (subject: Subject) => void subjects.push(subject);
      const now = clock.now();
      const redemption = { consumed, rows, now, isAwaited, uses, unheard, invalidate };
      const outcome = await invalidating(invalidations, subjects, () => redeem(database, redemption));
      if (outcome.kind !== 'repeated') return outcome;
      return { kind: 'repeated', payload: seal.open(outcome.sealed, placeOf(SUCCESSOR, consumed.idHash)) };
    },
    destroy: (kind, idHash) => changing(kind, idHash, async () => void (await record(kind, idHash).delete())),
    keep: (kind, idHash) =>
      changing(kind, idHash, async () => void (await record(kind, idHash).update({ expires_at: null }))),
    admit: (kind, given, originHash, bounds) => {
      const row = { ...rowOf(kind, given), origin_hash: originHash };
      return admit({ database, invalidations, now: clock.now() }, row, bounds);
    },
    keepBusy: (kind, idHash, until) => changing(kind, idHash, () => keepBusy(record(kind, idHash), until)),
    removeEnded: async (limit) => {
      const ended = await endedKeys(database, clock.now(), limit);
      if (ended.length === 0) return 0;
      const subjects = ended.map(([kind, idHash]) => recordSubject(kind, idHash));
      await invalidating(
        invalidations,
        subjects,
        // A client that is kept meanwhile, or a session that was extended, has another term now.
        async () =>
          void (await records()
            .whereIn(['kind', 'id_hash'], ended)
            .where((still) => still.where('expires_at', '<', clock.now()).orWhere('kind', 'Grant'))
            .delete()),
      );
      return ended.length;
    },
    releaseClients: createClientRelease({ database, seal, clock, invalidations, placeOf }),
    earlierGrants: (after, limit) => readEarlierGrants({ database, seal, placeOf }, after, limit),
  };
}

async function keepBusy(record: Knex.QueryBuilder, until: number): Promise<void> {
  const expiresAt = record.client.raw('CASE WHEN expires_at < ? THEN ? ELSE expires_at END', [until, until]);
  await record.whereNotNull('expires_at').update({ busy_until: until, expires_at: expiresAt });
}

/** Returns the place that a payload is sealed for: it opens only there. */
const placeOf = (kind: string, idHash: string): string => `oauth/${kind}/${idHash}`;

async function endedKeys(database: Database, now: number, limit: number): Promise<[kind: string, idHash: string][]> {
  const records = () => database<RecordRow>('oauth_records').limit(limit).select('kind', 'id_hash');
  const ended = await records().where('expires_at', '<', now).orderBy('expires_at');
  // A grant has no term of its own: after its account and its consent were removed, it would stay forever.
  const widowed = await records()
    .where('kind', 'Grant')
    .whereNull('expires_at')
    .whereNotExists((consent) => consent.from('consents').whereRaw('consents.grant_hash = oauth_records.grant_hash'));
  return [...ended, ...widowed].slice(0, limit).map(({ kind, id_hash: idHash }) => [kind, idHash]);
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));
