import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { ClientBounds } from '../ports/oauth-records.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { telling } from './invalidations.ts';
import { recordSubject } from './oauth-subjects.ts';
import type { NewRecordRow } from './redemption.ts';

const KIND = 'Client';
/** Clients removed by one statement, which takes only so many values. */
const STEP_ROWS = 10_000;

interface ClientRow {
  id_hash: string;
  origin_hash: string | null;
  /** While it is in the future, a person may be deciding about the client. */
  busy_until: number | null;
}

interface UnusedClientsParts {
  /** A transaction: what makes room and the client that gets it are one change. */
  database: Database;
  /** Called with what has changed, once that is stored. */
  tell(subject: Subject): void;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Stores a client that nobody has authorised yet, and removes others where there would be more than may be, in one transaction.
 * @returns false where it is not stored, because its address has as many as it may
 */
export function admit(
  { database, invalidations, now }: { database: Database; invalidations: Invalidations; now: number },
  row: NewRecordRow & { origin_hash: string },
  bounds: ClientBounds,
): Promise<boolean> {
  const told = [recordSubject(KIND, row.id_hash)];
  const tell = (subject: Subject) => void told.push(subject);
  return telling(invalidations, told, () =>
    database.transaction(async (transaction) => {
      const hasRoom = await makeRoom({ database: transaction, tell, now }, row.origin_hash, bounds);
      if (hasRoom) await transaction<NewRecordRow>('oauth_records').insert(row);
      return hasRoom;
    }),
  );
}

/**
 * Makes room for one more client that nobody has authorised yet. Its own address makes room first where it has its share; else the
 * oldest goes of the address that has most, so that a flood from one address removes nothing but what came from there. A client
 * about which a person may be deciding goes only in a flood from thousands of addresses: `removeBusy`.
 * @returns false where its address has its share, and none of them may go
 */
async function makeRoom(parts: UnusedClientsParts, originHash: string, bounds: ClientBounds): Promise<boolean> {
  // Two that register at once would choose the same client to go, and the later one would find that it has removed none.
  await lock(parts.database, 'unused clients');
  const own = (await countOf(parts, originHash)) - (bounds.perOrigin - 1);
  if (own > 0 && (await removeOldest(parts, originHash, own)) < own) return false;
  for (;;) {
    const surplus = (await countOf(parts)) - (bounds.all - 1);
    if (surplus <= 0) return true;
    const largest = await largestOrigin(parts);
    // All of them are being decided about, which is over within minutes.
    if (largest === undefined || (await removeOldest(parts, largest.origin, surplus)) === 0) {
      return (await countOf(parts)) < bounds.atMost || removeBusy(parts, originHash);
    }
  }
}

/**
 * Somebody floods from very many addresses, and begins a decision about each client. Then the oldest goes of the address that has
 * most, if that are more than the new one's address would have: a person who decides about their only client is not disturbed.
 * @returns false where every address has as few
 */
async function removeBusy(parts: UnusedClientsParts, originHash: string): Promise<boolean> {
  const [largest]: { origin_hash: string | null; clients: number | string }[] = await unused(parts)
    .groupBy('origin_hash')
    .orderByRaw('COUNT(*) DESC')
    .limit(1)
    .select('origin_hash')
    .count({ clients: '*' });
  if (largest === undefined || Number(largest.clients) <= (await countOf(parts, originHash)) + 1) return false;
  const [oldest]: string[] = await unused(parts)
    .where('origin_hash', largest.origin_hash)
    .orderBy([{ column: 'expires_at' }, { column: 'id_hash', order: 'desc' }])
    .limit(1)
    .pluck('id_hash');
  if (oldest === undefined) return false;
  parts.tell(recordSubject(KIND, oldest));
  return (await unused(parts).where('id_hash', oldest).delete()) > 0;
}

const unused = ({ database }: UnusedClientsParts) =>
  database<ClientRow>('oauth_records').where('kind', KIND).whereNotNull('expires_at');

const idle = (parts: UnusedClientsParts) =>
  unused(parts).where((either) => either.whereNull('busy_until').orWhere('busy_until', '<', parts.now));

async function countOf(parts: UnusedClientsParts, originHash?: string): Promise<number> {
  const clients = originHash === undefined ? unused(parts) : unused(parts).where('origin_hash', originHash);
  const [row] = await clients.count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** Of those that have an idle client; the origin is null for clients that an earlier version registered. */
async function largestOrigin(parts: UnusedClientsParts): Promise<{ origin: string | null } | undefined> {
  const [largest] = await unused(parts)
    .groupBy('origin_hash')
    .havingRaw('SUM(CASE WHEN busy_until IS NULL OR busy_until < ? THEN 1 ELSE 0 END) > 0', [parts.now])
    .orderByRaw('COUNT(*) DESC')
    .limit(1)
    .select('origin_hash');
  return largest === undefined ? undefined : { origin: largest.origin_hash };
}

/** Returns how many have gone: at most `count`, and fewer where no more are idle. */
async function removeOldest(parts: UnusedClientsParts, origin: string | null, count: number): Promise<number> {
  const hashes: string[] = await idle(parts)
    .where('origin_hash', origin)
    .orderBy([{ column: 'expires_at' }, { column: 'id_hash', order: 'desc' }])
    .limit(Math.min(count, STEP_ROWS))
    .pluck('id_hash');
  if (hashes.length === 0) return 0;
  for (const idHash of hashes) parts.tell(recordSubject(KIND, idHash));
  // One that is authorised, or asks a person, meanwhile stays.
  return idle(parts).whereIn('id_hash', hashes).delete();
}
