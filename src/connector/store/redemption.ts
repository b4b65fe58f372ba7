import type { Subject } from '../ports/invalidations.ts';
import type { Redemption } from '../ports/oauth-records.ts';
import { endFamilies } from './consents.ts';
import type { Database } from './database.ts';

/** A record as it is stored first. */
export interface NewRecordRow {
  kind: string;
  id_hash: string;
  uid_hash: string | null;
  grant_hash: string | null;
  payload_sealed: string;
  expires_at: number | null;
}

export interface RedemptionRows {
  consumed: Redemption['consumed'];
  /** What is given for it. */
  rows: readonly NewRecordRow[];
  now: number;
  /** Tells of what else has changed, once that is stored. */
  tell(subject: Subject): void;
}

/** Uses up a record and stores what is given for it, in one transaction. False when it was used before, or has ended. */
export function redeem(database: Database, { consumed, rows, now, tell }: RedemptionRows): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const records = () => transaction<NewRecordRow & { consumed_at: number | null }>('oauth_records');
    const used = () => records().where({ kind: consumed.kind, id_hash: consumed.idHash });
    const { grant_hash: grantHash = null } = (await used().first('grant_hash')) ?? {};
    if (grantHash === null) return false;
    // The consent first, as when it ends: two transactions that took it last could wait for each other. Only ever an update:
    // an insert could bring back a consent that has just ended.
    if ((await transaction('consents').where('grant_hash', grantHash).update({ last_used_at: now })) === 0)
      return false;
    if ((await used().whereNull('consumed_at').update({ consumed_at: now })) === 1) {
      await records().insert([...rows]);
      return true;
    }
    if (await isStored(transaction, rows)) return true;
    for (const subject of await endFamilies(transaction, [grantHash])) tell(subject);
    return false;
  });
}

/** Whether this very redemption was stored already: nobody else knows the ids of what it issues. */
async function isStored(transaction: Database, [first]: RedemptionRows['rows']): Promise<boolean> {
  if (first === undefined) return false;
  const { kind, id_hash } = first;
  return (await transaction('oauth_records').where({ kind, id_hash }).first('kind')) !== undefined;
}
