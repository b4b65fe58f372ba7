import { existsSync } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import type { DatabaseChoice } from '../store/connect/index.ts';
import { inspectDatabase } from '../store/database.ts';
import { type Check, ill, well } from './check.ts';

/** A file that does not exist would be made by looking into it, for the wrong user perhaps. */
export const isThere = (database: DatabaseChoice): boolean =>
  'postgres' in database || existsSync(database.sqlite.file);

export const database: Check = {
  name: 'database',
  examine: async ({ database: choice }) => {
    if (!isThere(choice)) return well('not there yet: the first start makes it');
    try {
      const { pending } = await inspectDatabase(choice);
      if (pending.length === 0) return well('opens, and its schema is that of this version');
      return ill(`lacks ${pending.join(', ')}`, 'start the connector, or run homeport-connector migrate');
    } catch (error) {
      return ill(messageOf(error), 'do what this says, as the user the connector runs as');
    }
  },
};
