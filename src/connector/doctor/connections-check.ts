import type { ConnectionsSeen } from '../store/connect/server.ts';
import { inspectConnections } from '../store/database.ts';
import { type Check, ok, problem } from './check.ts';

/** That is how a server makes a database, and harmless where it has no other roles. */
const OPEN_TO_ALL =
  '; any role of the server may connect, and take locks there: the guide on PostgreSQL has the REVOKE against that';

/** Says which limit leaves so few, in the words of the server's own settings. */
function whyOf({ max, reserved, others, roleMax, databaseMax, room }: ConnectionsSeen): string {
  if (roleMax === room) return `the role’s CONNECTION LIMIT is ${roleMax}`;
  if (databaseMax === room) return `the database’s CONNECTION LIMIT is ${databaseMax}`;
  return `max_connections is ${max}, of which ${reserved} are reserved, and other programs have ${others} open now`;
}

/** Checks that the server has enough connections for all processes that run. */
export const connections: Check = {
  name: 'connections',
  examine: async ({ database, inspection, sharing }) => {
    if ('sqlite' in database) return ok('not limited: the database is a file');
    const isOpened = await inspection().then(
      () => true,
      // The line of the database says why.
      () => false,
    );
    // Its own line says why.
    if (!isOpened) return ok('not known: the database can’t be used');
    const seen = await inspectConnections(database);
    if (seen === undefined) return ok('not limited');
    if (seen.isWritableByAll) {
      return problem(
        'any role of the server may connect, and make functions and operators there that run with the rights of this program',
        'run the REVOKE of the guide on PostgreSQL',
      );
    }
    // The line of the processes says that it is not known.
    const seenProcesses = await sharing().catch(() => undefined);
    const count = Math.max(1, seenProcesses?.members.length ?? 0);
    const needed = count * seen.perProcess + (count > 1 ? seen.inTakeover : 0);
    const open = `${count === 1 ? 'one process opens' : `${count} processes open`} up to ${needed}`;
    if (needed > seen.room) {
      return problem(
        `${open}, but ${seen.room} are left for them: ${whyOf(seen)}`,
        'raise that limit, or lower database.postgres.poolSize of each process',
      );
    }
    const pooler = seen.isPooled
      ? '; a pooler in session mode is in between, whose default_pool_size has to have room for as many'
      : '';
    return ok(`${open}, and ${seen.room} are left for them${pooler}${seen.isOpenToAll ? OPEN_TO_ALL : ''}`);
  },
};
