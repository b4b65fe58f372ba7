import type { Clock } from '../../kernel/clock.ts';
import { UNUSED_CLIENT_SECONDS } from '../domain/limits.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import type { Database } from './database.ts';
import { recordSubject } from './oauth-subjects.ts';
import { invalidating } from './shared-invalidations.ts';

const KIND = 'Client';
const SECOND_MS = 1_000;

export interface ReleasedClientsParts {
  database: Database;
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
  placeOf: (kind: string, idHash: string) => string;
}

/**
 * Finds clients that have registered and whose consents have all ended, and gives them the term of a client that has
 * just registered: a person who allows one again within that time finds it unchanged. A client's id is in its sealed
 * payload only, so each call looks at the next `limit` clients, in the order of their hashes, and starts again after
 * the last.
 * @returns a function that returns how many clients got a term
 */
export function createClientRelease(parts: ReleasedClientsParts): (limit: number) => Promise<number> {
  const { database, seal, placeOf } = parts;
  let after = '';
  return async (limit) => {
    const rows: { id_hash: string; payload_sealed: string }[] = await database('oauth_records')
      .where('kind', KIND)
      .whereNull('expires_at')
      .where('id_hash', '>', after)
      .orderBy('id_hash')
      .limit(limit)
      .select('id_hash', 'payload_sealed');
    after = rows.length < limit ? '' : (rows.at(-1)?.id_hash ?? '');
    const clients = new Map<string, string>();
    for (const { id_hash: idHash, payload_sealed: sealed } of rows) {
      const clientId = clientIdIn(seal, sealed, placeOf(KIND, idHash));
      if (clientId !== undefined) clients.set(clientId, idHash);
    }
    const allowed = new Set(await allowedOf(database, [...clients.keys()]));
    let released = 0;
    for (const [clientId, idHash] of clients) {
      if (!allowed.has(clientId) && (await release(parts, clientId, idHash))) released += 1;
    }
    return released;
  };
}

const allowedOf = (database: Database, clientIds: readonly string[]): Promise<string[]> =>
  database('consents').whereIn('client_id', clientIds).distinct('client_id').pluck('client_id');

/**
 * Gives a client its term, unless a person allows it at this moment: the desk keeps a client again after its consent,
 * so it waits for this lock.
 */
function release(
  { database, clock, invalidations }: ReleasedClientsParts,
  clientId: string,
  idHash: string,
): Promise<boolean> {
  return invalidating(invalidations, [recordSubject(KIND, idHash)], () =>
    database.transaction(async (transaction) => {
      const kept = () => transaction('oauth_records').where({ kind: KIND, id_hash: idHash }).whereNull('expires_at');
      if ((await kept().forUpdate().first('id_hash')) === undefined) return false;
      if ((await allowedOf(transaction, [clientId])).length > 0) return false;
      const expiresAt = clock.now() + UNUSED_CLIENT_SECONDS * SECOND_MS;
      return (await kept().update({ expires_at: expiresAt })) === 1;
    }),
  );
}

/** Returns undefined if the present keys don't open the record. */
function clientIdIn(seal: Seal, sealed: string, place: string): string | undefined {
  try {
    const { client_id: clientId } = JSON.parse(seal.open(sealed, place)) as { client_id?: unknown };
    return typeof clientId === 'string' ? clientId : undefined;
  } catch {
    // None of the keys opens it.
    return undefined;
  }
}
