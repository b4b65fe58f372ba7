import { forgetSends } from './counts.ts';
import type { Database } from './database.ts';

/**
 * Removes the numbers of sends whose session has ended: a send that was under way then was counted after its session's
 * numbers had gone, and earlier versions counted sends of sessions that were over. Each call looks at the next `limit`
 * sessions that have numbers, in the order of their ids, and starts again after the last: an installation may have very
 * many.
 * @returns a function that returns the number of sessions whose numbers were removed
 */
export function createStrayRemoval(database: Database): (limit: number) => Promise<number> {
  let after = '';
  return async (limit) => {
    const named: string[] = await database('send_counts')
      .where('session_id', '>', after)
      .orderBy('session_id')
      .limit(limit)
      .distinct('session_id')
      .pluck('session_id');
    after = named.length < limit ? '' : (named.at(-1) ?? '');
    const living = new Set<string>(await database('agent_sessions').whereIn('session_id', named).pluck('session_id'));
    const strays = named.filter((sessionId) => !living.has(sessionId));
    // An ended session never begins again.
    await forgetSends(database, strays);
    return strays.length;
  };
}
