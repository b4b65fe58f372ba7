import type { Invalidations } from '../ports/invalidations.ts';
import type { Database } from './database.ts';
import { telling } from './invalidations.ts';
import { recordSubject } from './oauth-subjects.ts';

/** Records removed by one statement, which takes only so many values. */
const STEP_ROWS = 10_000;

/** Removes the oldest of a kind's records that have a term, all but the newest `count`. */
export async function removeSurplus(
  { database, invalidations }: { database: Database; invalidations: Invalidations },
  kind: string,
  count: number,
): Promise<void> {
  const withTerm = () => database('oauth_records').where('kind', kind).whereNotNull('expires_at');
  for (;;) {
    const surplus: string[] = await withTerm()
      .orderBy([{ column: 'expires_at', order: 'desc' }, { column: 'id_hash' }])
      .limit(STEP_ROWS)
      .offset(count)
      .pluck('id_hash');
    if (surplus.length === 0) return;
    const told = surplus.map((idHash) => recordSubject(kind, idHash));
    // One that is kept meanwhile has no term any more.
    await telling(invalidations, told, async () => void (await withTerm().whereIn('id_hash', surplus).delete()));
  }
}
