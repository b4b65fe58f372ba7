import type { Observations, Violation } from '../observations.ts';
import { checkCalls, checkPresence } from './calls.ts';
import { checkEvents } from './events.ts';
import { checkHistories } from './history.ts';
import { checkMovements } from './movements.ts';
import { checkSends } from './sends.ts';
import { checkSessions } from './sessions.ts';
import { checkUnread } from './unread.ts';

/** Compares what was seen with what must hold. @param quietSince when all was healed and nobody said anything any more */
export const check = (seen: Observations, quietSince: number): Violation[] => [
  ...checkHistories(seen),
  ...checkUnread(seen),
  ...checkSends(seen),
  ...checkEvents(seen),
  ...checkMovements(seen),
  ...checkCalls(seen),
  ...checkPresence(seen.accounts, quietSince),
  ...checkSessions(seen, quietSince),
];
