import { lstatSync } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import { inspectDatabase, requireWritable } from '../store/database.ts';
import { type Check, ill, well } from './check.ts';

/** Checked first: the first start makes the file. */
export const isThere = (database: DatabaseChoice): boolean =>
  'postgres' in database || lstatSync(database.sqlite.file, { throwIfNoEntry: false }) !== undefined;

export const database: Check = {
  name: 'database',
  examine: async ({ database: choice, mayWrite }) => {
    if (!isThere(choice)) return well('not there yet: the first start makes it');
    try {
      const { pending } = await inspectDatabase(choice);
      if (pending.length === 0) {
        if (!mayWrite)
          return well('opens, with the schema of this version; not written, which is its account’s to try');
        await requireWritable(choice);
        return well('can be written, and its schema is that of this version');
      }
      return ill(`lacks ${pending.join(', ')}`, 'start the connector, or run homeport-connector migrate');
    } catch (error) {
      return ill(messageOf(error), 'do what this says, as the user the connector runs as');
    }
  },
};
