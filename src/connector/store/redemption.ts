import type { Subject } from '../ports/invalidations.ts';
import { type Redemption, SUCCESSOR } from '../ports/oauth-records.ts';
import { endFamilies } from './consents.ts';
import type { Database } from './database.ts';
import type { RecentUses } from './recent-uses.ts';
import type { UnheardAnswers } from './unheard-answers.ts';

/** Columns of a new record. */
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
  /** Records that are issued for it. */
  rows: readonly NewRecordRow[];
  now: number;
  /** Whether the client still waits for the answer. */
  isAwaited(): boolean;
  /** Uses that are recent enough to be repeated. */
  uses: RecentUses;
  /** Answers that may be repeated, because no client got them. */
  unheard: UnheardAnswers;
  /** Collects further subjects to invalidate once the change is stored. */
  invalidate(subject: Subject): void;
}

/** Like `RedemptionOutcome`, with a sealed payload. */
type StoredOutcome = { kind: 'stored' | 'refused' } | { kind: 'repeated'; sealed: string };

type Row = NewRecordRow & { consumed_at: number | null };

const STORED: StoredOutcome = { kind: 'stored' };
const REFUSED: StoredOutcome = { kind: 'refused' };

/** Uses up a record and stores the ones issued for it, in one transaction. */
export async function redeem(database: Database, redemption: RedemptionRows): Promise<StoredOutcome> {
  const { consumed, rows, uses, unheard, isAwaited } = redemption;
  const answer = rows.find(({ kind }) => kind === SUCCESSOR);
  let outcome: StoredOutcome;
  try {
    outcome = await use(database, redemption);
  } catch (error) {
    // The records may be stored all the same.
    if (answer !== undefined) unheard.note(answer);
    throw error;
  }
  if (outcome.kind === 'stored' && answer !== undefined) {
    uses.note(consumed.idHash);
    if (!isAwaited()) unheard.note(answer);
  }
  if (outcome.kind !== 'refused' && isAwaited()) unheard.heard(consumed.idHash);
  return outcome;
}

function use(database: Database, redemption: RedemptionRows): Promise<StoredOutcome> {
  const { consumed, rows, now, invalidate } = redemption;
  return database.transaction(async (transaction) => {
    const records = () => transaction<Row>('oauth_records');
    const used = () => records().where({ kind: consumed.kind, id_hash: consumed.idHash });
    const { grant_hash: grantHash = null } = (await used().first('grant_hash')) ?? {};
    if (grantHash === null) return REFUSED;
    // Lock order: consent before record, as in `endFamilies`; the other order can deadlock. All uses of one family wait here for
    // each other. Only ever an update: an insert could bring back a consent that has just ended.
    if ((await transaction('consents').where('grant_hash', grantHash).update({ last_used_at: now })) === 0)
      return REFUSED;
    if ((await used().whereNull('consumed_at').update({ consumed_at: now })) === 1) {
      await records().where({ kind: SUCCESSOR, uid_hash: consumed.idHash }).delete();
      await records().insert([...rows]);
      return STORED;
    }
    if (await isStored(transaction, rows)) return STORED;
    const sealed = await unusedSuccessor(transaction, redemption);
    if (sealed !== undefined) return { kind: 'repeated', sealed };
    for (const subject of await endFamilies(transaction, [grantHash])) invalidate(subject);
    return REFUSED;
  });
}

/** Returns the answer to an earlier use of a refresh token, as long as it may be repeated. */
async function unusedSuccessor(
  transaction: Database,
  { consumed: { kind, idHash }, uses, unheard }: RedemptionRows,
): Promise<string | undefined> {
  const records = () => transaction<Row>('oauth_records');
  const recent = await records()
    .where({ kind: SUCCESSOR, id_hash: idHash })
    .first('uid_hash', 'payload_sealed', 'expires_at');
  const isRepeatable = recent !== undefined && uses.mayRepeat(idHash, Number(recent.expires_at));
  for (const { uid_hash: hash, payload_sealed: sealed } of [...(isRepeatable ? [recent] : []), ...unheard.of(idHash)]) {
    const unused = hash === null ? undefined : records().where({ kind, id_hash: hash }).whereNull('consumed_at');
    if ((await unused?.first('kind')) !== undefined) return sealed;
  }
  return undefined;
}

/** Whether this very redemption was stored already: its record ids are known only here. */
async function isStored(transaction: Database, [first]: RedemptionRows['rows']): Promise<boolean> {
  if (first === undefined) return false;
  const { kind, id_hash } = first;
  return (await transaction('oauth_records').where({ kind, id_hash }).first('kind')) !== undefined;
}
