import type { Clock } from '../../kernel/clock.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import type { Seal } from '../ports/seal.ts';
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

export function createOauthRecords(database: Database, seal: Seal, clock: Clock): OauthRecords {
  const records = () => database<RecordRow>('oauth_records');
  const place = (kind: string, idHash: string): string => `oauth/${kind}/${idHash}`;
  return withFailuresExplained<OauthRecords>({
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
      const key = 'idHash' in by ? { id_hash: by.idHash } : { uid_hash: by.uidHash };
      const row = await records()
        .where({ kind, ...key })
        .where((alive) => alive.whereNull('expires_at').orWhere('expires_at', '>=', clock.now()))
        .first();
      if (row === undefined) return undefined;
      const payload = seal.open(row.payload_sealed, place(kind, row.id_hash));
      return { payload, consumedAt: row.consumed_at === null ? null : Number(row.consumed_at) };
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
  });
}
