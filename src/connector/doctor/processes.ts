import { inspectSharing } from '../store/database.ts';
import { type Check, ill, well } from './check.ts';

const at = (time: number): string => new Date(time).toISOString();

/** Which process has the database, and which wait. */
export const processes: Check = {
  name: 'processes',
  examine: async ({ database }) => {
    if ('sqlite' in database) return well('one at a time, as always with SQLite');
    // A database that can't be opened has its own line.
    const found = await inspectSharing(database).catch(() => undefined);
    if (found === undefined) return well('not known: the database can’t be opened, or lacks the tables for it');
    const { holder, waiting } = found;
    const others =
      waiting.length === 0 ? 'none waits' : `${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'}`;
    if (holder === undefined) {
      return waiting.length === 0
        ? well('none runs')
        : ill(
            `none has the database, and ${others}`,
            'see in their logs why none takes it, such as a clock that is wrong',
          );
    }
    const since = `${holder.name ?? 'a process that nothing is known of'} has the database since ${at(holder.takenAt)}`;
    if (holder.isSilent) return ill(`${since}, but is silent; ${others}`, 'start it, or let it be ended');
    return well(`${since}; ${others}`);
  },
};
