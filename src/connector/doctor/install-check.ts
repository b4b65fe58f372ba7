import { messageOf } from '../../kernel/errors.ts';
import { inspectDatabase } from '../store/database.ts';
import { type Check, ok, problem } from './check.ts';
import { isThere } from './database-check.ts';

export const installation: Check = {
  name: 'installation',
  examine: async ({ config, database, inspection, own }) => {
    if (!isThere(database)) return ok('not there yet: the first start records it');
    // A database that can't be opened at all has its own line.
    const found = await inspection().catch(() => undefined);
    if (found === undefined) return ok('not known: the database can’t be opened');
    try {
      await inspectDatabase(database, own());
    } catch (error) {
      return problem(messageOf(error), 'do what this says before the connector starts');
    }
    if (found.installation === undefined) return ok('not recorded yet: the next start does it');
    const { baseUrl, issuer, networks } = found.installation;
    const next = baseUrl === config.baseUrl ? '' : `, which becomes ${config.baseUrl} at the next start`;
    return ok(`the keys open the database of ${baseUrl}${next}, sign-in at ${issuer}, networks ${networks.join(', ')}`);
  },
};
