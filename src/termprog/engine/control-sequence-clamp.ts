import { PARAMETER_MAX } from './limits.ts';

/**
 * Final characters whose first parameter is a number of repetitions of work: REP, and shifts, insertions, deletions
 * and tabs, none of which does more than clear the screen once.
 */
const REPEAT = 'b';
const COUNTS_LINES_OR_CELLS = new Set([...'STLM@PXIZABCDEFae}~']);

/**
 * A control sequence with its numbers bounded, so that no short text costs a long time: a count beyond the screen
 * means the same as one of the screen's size.
 * @param sequence from behind the introducer to the final character
 */
export function clampControlSequence(sequence: string, { columns, rows }: { columns: number; rows: number }): string {
  if (!/\d{3}/.test(sequence)) return sequence;
  const final = sequence.at(-1) ?? '';
  let most = PARAMETER_MAX;
  if (final === REPEAT) most = columns * rows;
  else if (COUNTS_LINES_OR_CELLS.has(final)) most = Math.max(columns, rows);
  return sequence.replace(/\d{3,}/g, (digits) => `${Math.min(Number(digits), most)}`);
}
