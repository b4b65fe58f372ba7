import { inspectDatabase } from '../store/database.ts';
import { type Check, ill, well } from './check.ts';
import { isThere } from './database.ts';

/** If this many lines all have whole seconds, that is not chance. */
const LINES_MIN = 5;
const SECOND_MS = 1_000;

export const sojuStore: Check = {
  name: 'soju message store',
  examine: async ({ database }) => {
    const { newestTimes } = isThere(database) ? await inspectDatabase(database) : { newestTimes: [] };
    if (newestTimes.length < LINES_MIN) return well('too few lines are stored to tell how exact their times are');
    if (newestTimes.some((at) => at % SECOND_MS !== 0)) return well('keeps times to the millisecond');
    return ill(
      'keeps whole seconds only, so lines may be lost or doubled when they are replayed',
      'set "message-store db" in the configuration of soju and restart it',
    );
  },
};
