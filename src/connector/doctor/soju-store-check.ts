import { type Check, ok, problem } from './check.ts';
import { isThere } from './database-check.ts';

/** This many lines that all have whole seconds are no coincidence. */
const LINES_MIN = 5;
const SECOND_MS = 1_000;

export const sojuStore: Check = {
  name: 'soju message store',
  examine: async ({ database, inspection }) => {
    const { newestTimes } = isThere(database) ? await inspection() : { newestTimes: [] };
    if (newestTimes.length < LINES_MIN) return ok('too few lines are stored to see how exact their times are');
    if (newestTimes.some((at) => at % SECOND_MS !== 0)) return ok('keeps times to the millisecond');
    return problem(
      'keeps whole seconds only, so lines may be lost or doubled when they are replayed',
      'set "message-store db" in the configuration of soju and restart it',
    );
  },
};
