import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { RecordBounds } from '../ports/oauth-records.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { recordSubject } from './oauth-subjects.ts';
import type { NewRecordRow } from './redemption.ts';
import { invalidating } from './shared-invalidations.ts';

/** Most records that one statement removes: databases bound the number of values. */
const STEP_ROWS = 10_000;

interface AdmittedRow {
  id_hash: string;
  origin_hash: string | null;
  /** The record is in use by a person until this time. */
  busy_until: number | null;
}

interface AdmissionParts {
  /** A transaction: making room and inserting the record are one change. */
  database: Database;
  kind: string;
  /** Collects a subject to invalidate once the change is stored. */
  invalidate(subject: Subject): void;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Stores a record that strangers may create, such as a client that no person has authorised yet. Removes others of its
 * kind where there would be too many, in the same transaction. An existing record with the same id is replaced.
 * @returns false if it is not stored because its address has its maximum
 */
export function admit(
  { database, invalidations, now }: { database: Database; invalidations: Invalidations; now: number },
  row: NewRecordRow & { origin_hash: string },
  bounds: RecordBounds,
): Promise<boolean> {
  const subjects = [recordSubject(row.kind, row.id_hash)];
  const invalidate = (subject: Subject) => void subjects.push(subject);
  return invalidating(invalidations, subjects, () =>
    database.transaction(async (transaction) => {
      const { kind, id_hash, origin_hash, ...changes } = row;
      const records = () => transaction<NewRecordRow>('oauth_records');
      if ((await records().where({ kind, id_hash }).update(changes)) === 1) return true;
      const hasRoom = await makeRoom({ database: transaction, kind, invalidate, now }, origin_hash, bounds);
      if (hasRoom) await records().insert(row);
      return hasRoom;
    }),
  );
}

/**
 * Makes room for one more record of its kind. An address that has its share loses its own oldest records; otherwise the
 * address with the most records loses its oldest, so a flood from one address removes only that address's records. A
 * record that a person is using goes only if the bounds allow it, and only in a flood from thousands of addresses:
 * `removeBusy`.
 * @returns false if its address has its share and all of its records are in use
 */
async function makeRoom(parts: AdmissionParts, originHash: string, bounds: RecordBounds): Promise<boolean> {
  // Lock: two concurrent admissions would choose the same record, and the later one would find that it has removed no
  // row.
  await lock(parts.database, `admission of ${parts.kind}`);
  const own = (await countOf(parts, originHash)) - (bounds.perOrigin - 1);
  if (own > 0 && (await removeOldest(parts, originHash, own)) < own) return false;
  for (;;) {
    const surplus = (await countOf(parts)) - (bounds.all - 1);
    if (surplus <= 0) return true;
    const largest = await largestOrigin(parts);
    // A person is using each of them, for minutes at most.
    if (largest === undefined || (await removeOldest(parts, largest.origin, surplus)) === 0) {
      if ((await countOf(parts)) < bounds.atMost) return true;
      return bounds.alsoBusy && removeBusy(parts, originHash);
    }
  }
}

/**
 * Removes the oldest record of the address with the most, in a flood from very many addresses that keeps every record
 * busy. That address must have more than the new record's address would have: a person with the only record of an
 * address is not disturbed.
 * @returns false if every address has as few
 */
async function removeBusy(parts: AdmissionParts, originHash: string): Promise<boolean> {
  const [largest]: { origin_hash: string | null; records: number | string }[] = await ofKind(parts)
    .groupBy('origin_hash')
    .orderByRaw('COUNT(*) DESC')
    .limit(1)
    .select('origin_hash')
    .count({ records: '*' });
  if (largest === undefined || Number(largest.records) <= (await countOf(parts, originHash)) + 1) return false;
  const [oldest]: string[] = await ofKind(parts)
    .where('origin_hash', largest.origin_hash)
    .orderBy([{ column: 'expires_at' }, { column: 'id_hash', order: 'desc' }])
    .limit(1)
    .pluck('id_hash');
  if (oldest === undefined) return false;
  parts.invalidate(recordSubject(parts.kind, oldest));
  return (await ofKind(parts).where('id_hash', oldest).delete()) > 0;
}

/** Records with a term: one without a term belongs to an authorised client. */
const ofKind = ({ database, kind }: AdmissionParts) =>
  database<AdmittedRow>('oauth_records').where('kind', kind).whereNotNull('expires_at');

const idle = (parts: AdmissionParts) =>
  ofKind(parts).where((either) => either.whereNull('busy_until').orWhere('busy_until', '<', parts.now));

async function countOf(parts: AdmissionParts, originHash?: string): Promise<number> {
  const records = originHash === undefined ? ofKind(parts) : ofKind(parts).where('origin_hash', originHash);
  const [row] = await records.count({ count: '*' });
  return Number(row?.count ?? 0);
}

/**
 * Returns the address with the most records among those that have an idle one; null for records of an earlier version.
 */
async function largestOrigin(parts: AdmissionParts): Promise<{ origin: string | null } | undefined> {
  const [largest] = await ofKind(parts)
    .groupBy('origin_hash')
    .havingRaw('SUM(CASE WHEN busy_until IS NULL OR busy_until < ? THEN 1 ELSE 0 END) > 0', [parts.now])
    .orderByRaw('COUNT(*) DESC')
    .limit(1)
    .select('origin_hash');
  return largest === undefined ? undefined : { origin: largest.origin_hash };
}

/** Removes at most `count` idle records and returns how many: fewer if no more are idle. */
async function removeOldest(parts: AdmissionParts, origin: string | null, count: number): Promise<number> {
  const hashes: string[] = await idle(parts)
    .where('origin_hash', origin)
    .orderBy([{ column: 'expires_at' }, { column: 'id_hash', order: 'desc' }])
    .limit(Math.min(count, STEP_ROWS))
    .pluck('id_hash');
  if (hashes.length === 0) return 0;
  for (const idHash of hashes) parts.invalidate(recordSubject(parts.kind, idHash));
  // A record that is authorised, or that begins to ask a person, meanwhile stays.
  return idle(parts).whereIn('id_hash', hashes).delete();
}
