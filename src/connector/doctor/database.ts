import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import { type Inspection, inspectDatabase, requireWritable } from '../store/database.ts';
import { type Check, type Finding, ill, well } from './check.ts';

/** Checked first: the first start makes the file. */
export const isThere = (database: DatabaseChoice): boolean =>
  'postgres' in database || lstatSync(database.sqlite.file, { throwIfNoEntry: false }) !== undefined;

/** Below this a database can't go on; a page of SQLite has 4 KiB. */
const ROOM_MIN_BYTES = 256 * 1_024;

const STAYS_LARGE =
  'it does not become smaller by deletions until homeport-connector compact was run with the service stopped';

/** What root can see without writing into a directory that belongs to another account. */
function lookFrom(choice: DatabaseChoice, { givesBack }: Inspection): Finding {
  const seen = `opens, with the schema of this version${noteOf(givesBack)}`;
  if (!('sqlite' in choice)) return well(seen);
  const { file } = choice.sqlite;
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < ROOM_MIN_BYTES) return ill(`${dirname(file)} has no room`, 'free space there');
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (systemCodeOf(error) !== 'EROFS') throw error;
    return ill(`${file} is on a file system that can’t be written`, 'mount it for writing, or choose another place');
  }
  return well(`${seen}, and there is room; only its account can try to write`);
}

/** Nothing is wrong where it can't: what is deleted is overwritten, and its room used again. */
const noteOf = (givesBack: boolean): string => (givesBack ? '' : `; ${STAYS_LARGE}`);

export const database: Check = {
  name: 'database',
  examine: async ({ database: choice, mayWrite }) => {
    if (!isThere(choice)) return well('not there yet: the first start makes it');
    try {
      const inspection = await inspectDatabase(choice);
      const { pending, givesBack } = inspection;
      if (pending.length === 0) {
        if (!mayWrite) return lookFrom(choice, inspection);
        await requireWritable(choice);
        return well(`can be written, and its schema is that of this version${noteOf(givesBack)}`);
      }
      return ill(`lacks ${pending.join(', ')}`, 'start the connector, or run homeport-connector migrate');
    } catch (error) {
      return ill(messageOf(error), 'do what this says, as the user the connector runs as');
    }
  },
};
