import type { Disturbance, Observations, Violation } from '../observations.ts';
import { gapsOf, type SessionGap } from '../sessions.ts';
import { violation } from './violation.ts';

/** A process that has lost the slot ends late, and the next one attaches the accounts a few at a time. */
const HEALED_AFTER_MS = 60_000;
/** They leave each account its session: who hands over ends its own when the next one has attached. */
export const HAND_OVER = 'connector restarted';
const LEAVE_SESSIONS: readonly string[] = [HAND_OVER, 'connections of clients cut'];
const PEACE = 'peace';

/** Checks that accounts were without a session only after something had failed, and in no hand-over. */
export const checkSessions = ({ sessions, disturbances }: Observations, until: number): Violation[] =>
  gapsOf(sessions, until)
    .filter((gap) => causesOf(gap, disturbances).every(({ what }) => LEAVE_SESSIONS.includes(what)))
    .map((gap) => {
      const cause = nameOf(gap, disturbances);
      const what = `it had no session for ${((gap.to - gap.from) / 1_000).toFixed(1)} s (${cause})`;
      return violation('session lost', what, { account: gap.account, at: gap.from });
    });

/** Longest time in which an account had no session, for what was disturbed then; 0 for hand-overs in which all had one. */
export function longestGaps({ sessions, disturbances }: Observations, until: number): Record<string, LongestGap> {
  const longest: Record<string, LongestGap> = { [HAND_OVER]: { ms: 0, account: undefined, at: undefined } };
  for (const gap of gapsOf(sessions, until)) {
    const cause = nameOf(gap, disturbances);
    const ms = gap.to - gap.from;
    if (ms > (longest[cause]?.ms ?? 0)) longest[cause] = { ms, account: gap.account, at: gap.from };
  }
  return longest;
}

export interface LongestGap {
  ms: number;
  account: string | undefined;
  at: number | undefined;
}

const nameOf = (gap: SessionGap, disturbances: readonly Disturbance[]): string =>
  causesOf(gap, disturbances)
    .map(({ what }) => what)
    .join(', ') || PEACE;

const causesOf = ({ from: at }: SessionGap, disturbances: readonly Disturbance[]): Disturbance[] =>
  disturbances.filter(({ from, to }) => at >= from && at <= to + HEALED_AFTER_MS);
