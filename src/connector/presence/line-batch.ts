import type { ObservedLine } from '../ports/bouncer-session.ts';

/** Most lines stored in one transaction, */
const BATCH_MAX = 500;
/** and most with the account's own nick: each takes several statements, in which others wait. */
const OWN_MAX = 50;

/** Returns those of the lines, from the first on, that are stored in one transaction. */
export function batchOf(lines: Iterable<ObservedLine>): ObservedLine[] {
  const batch: ObservedLine[] = [];
  let ownCount = 0;
  for (const observed of lines) {
    batch.push(observed);
    if (observed.own?.isNick === true) ownCount += 1;
    if (batch.length === BATCH_MAX || ownCount === OWN_MAX) break;
  }
  return batch;
}
