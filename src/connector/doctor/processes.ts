import { inspectSharing } from '../store/database.ts';
import { type Check, ok, problem } from './check.ts';

const at = (time: number): string => new Date(time).toISOString();

const wait = (names: readonly string[]): string => (names.length === 1 ? 'waits' : 'wait');

/** Reports the process that has the database, and those that wait for it. */
export const processes: Check = {
  name: 'processes',
  examine: async ({ database }) => {
    if ('sqlite' in database) return ok('one at a time, as always with SQLite');
    // A database that can't be opened has its own line.
    const found = await inspectSharing(database).catch(() => undefined);
    if (found === undefined) return ok('not known: the database can’t be opened, or lacks the tables for it');
    const { holder, waiting, unfit } = found;
    const others = waiting.length === 0 ? 'none waits' : `${waiting.join(', ')} ${wait(waiting)}`;
    if (unfit.length > 0) {
      const has = holder === undefined ? 'none' : (holder.name ?? 'a process that nothing is known of');
      return problem(
        `${has} has the database; ${others}; ${unfit.join(', ')} ${wait(unfit)} with a clock that is more than 30 s off the database’s, and can’t take over`,
        'set the clock of that machine right',
      );
    }
    if (holder === undefined) {
      return waiting.length === 0
        ? ok('none runs')
        : problem(
            `none has the database, and ${others}`,
            'see in their logs why none takes it, such as a clock that is wrong',
          );
    }
    const since = `${holder.name ?? 'a process that nothing is known of'} has the database since ${at(holder.takenAt)}`;
    if (holder.isSilent) return problem(`${since}, but is silent; ${others}`, 'start it, or let it be ended');
    return ok(`${since}; ${others}`);
  },
};
