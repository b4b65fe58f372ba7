import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import { type Inspection, requireWritable } from '../store/database.ts';
import { type Check, type Finding, ok, problem } from './check.ts';

/** Whether the database exists. Checks call it first, because the first start makes the file. */
export const isThere = (database: DatabaseChoice): boolean =>
  'postgres' in database || lstatSync(database.sqlite.file, { throwIfNoEntry: false }) !== undefined;

/** Free space below which a database can't go on; a page of SQLite has 4 KiB. */
const ROOM_MIN_BYTES = 256 * 1_024;

const STAYS_LARGE =
  'it does not become smaller by deletions until homeport-connector compact was run with the service stopped';

/** Inspects the database as root can without writing into a directory that belongs to another account. */
function lookFrom(choice: DatabaseChoice, { givesBack }: Inspection): Finding {
  const seen = `opens, with the schema of this version${noteOf(givesBack)}`;
  if (!('sqlite' in choice)) return ok(seen);
  const { file } = choice.sqlite;
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < ROOM_MIN_BYTES) return problem(`${dirname(file)} has no room`, 'free space there');
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (systemCodeOf(error) !== 'EROFS') throw error;
    return problem(
      `${file} is on a file system that can’t be written`,
      'mount it for writing, or choose another place',
    );
  }
  return ok(`${seen}, and there is room; only its account can try to write`);
}

/**
 * Adds a note for a file that can't shrink. That is no fault: deleted data are overwritten, and their space is used
 * again.
 */
const noteOf = (givesBack: boolean): string => (givesBack ? '' : `; ${STAYS_LARGE}`);

export const database: Check = {
  name: 'database',
  examine: async ({ database: choice, inspection: inspect, mayWrite }) => {
    if (!isThere(choice)) return ok('not there yet: the first start makes it');
    try {
      const inspection = await inspect();
      const { pending, givesBack } = inspection;
      if (pending.length === 0) {
        if (!mayWrite) return lookFrom(choice, inspection);
        await requireWritable(choice);
        return ok(`can be written, and its schema is that of this version${noteOf(givesBack)}`);
      }
      return problem(`lacks ${pending.join(', ')}`, 'start the connector, or run homeport-connector migrate');
    } catch (error) {
      return problem(messageOf(error), 'do what this says, as the user the connector runs as');
    }
  },
};
