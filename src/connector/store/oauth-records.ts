import type { Clock } from '../../kernel/clock.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { withFailuresExplained } from './failures.ts';

interface RecordRow {
  kind: string;
  id_hash: string;
  uid_hash: string | null;
  grant_hash: string | null;
  payload_sealed: string;
  consumed_at: number | null;
  expires_at: number | null;
}

interface Kept {
  payload: string;
  consumedAt: number | null;
  expiresAt: number | null;
}

export function createOauthRecords(database: Database, seal: Seal, clock: Clock): OauthRecords {
  const records = () => database<RecordRow>('oauth_records');
  const place = (kind: string, idHash: string): string => `oauth/${kind}/${idHash}`;
  // Kept in memory, because each request looks up its token and the token's consent.
  const cache = new Cache<Kept>();
  const load = async (kind: string, key: Partial<RecordRow>): Promise<Kept | undefined> => {
    const row = await records()
      .where({ kind, ...key })
      .first();
    if (row === undefined) return undefined;
    const payload = seal.open(row.payload_sealed, place(kind, row.id_hash));
    return { payload, consumedAt: numberOrNull(row.consumed_at), expiresAt: numberOrNull(row.expires_at) };
  };
  const store: OauthRecords = {
    save: async (kind, { idHash, uidHash, grantHash, payload, expiresAt }) => {
      await records().where('expires_at', '<', clock.now()).delete();
      await records()
        .insert({
          kind,
          id_hash: idHash,
          uid_hash: uidHash,
          grant_hash: grantHash,
          payload_sealed: seal.close(payload, place(kind, idHash)),
          expires_at: expiresAt,
        })
        .onConflict(['kind', 'id_hash'])
        .merge();
    },
    find: async (kind, by) => {
      const found =
        'idHash' in by
          ? await cache.read(`${kind}/${by.idHash}`, () => load(kind, { id_hash: by.idHash }))
          : await load(kind, { uid_hash: by.uidHash });
      return found !== undefined && (found.expiresAt ?? Number.POSITIVE_INFINITY) >= clock.now() ? found : undefined;
    },
    consume: async (kind, idHash) => {
      const consumed = await records()
        .where({ kind, id_hash: idHash })
        .whereNull('consumed_at')
        .update({ consumed_at: clock.now() });
      if (consumed === 1) return true;
      const family = database<RecordRow>('oauth_records').where({ kind, id_hash: idHash }).select('grant_hash');
      await records().whereNotNull('grant_hash').whereIn('grant_hash', family).delete();
      return false;
    },
    destroy: async (kind, idHash) => {
      await records().where({ kind, id_hash: idHash }).delete();
    },
    destroyFamily: async (kind, grantHash) => {
      await records().where({ kind, grant_hash: grantHash }).delete();
    },
  };
  return withFailuresExplained<OauthRecords>({
    find: store.find,
    save: (...record) => cache.change(() => store.save(...record)),
    consume: (...record) => cache.change(() => store.consume(...record)),
    destroy: (...record) => cache.change(() => store.destroy(...record)),
    destroyFamily: (...family) => cache.change(() => store.destroyFamily(...family)),
  });
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));
