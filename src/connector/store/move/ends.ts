import { statSync } from 'node:fs';
import type { Knex } from 'knex';
import { EXIT_CONFIG, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { ProvableClaim } from '../../ports/claims.ts';
import { type DatabaseChoice, databaseServer } from '../connect/index.ts';
import { CONNECTOR, type DatabaseServer } from '../connect/server.ts';
import { memoryDatabase } from '../connect/sqlite.ts';
import { explained } from '../database.ts';
import { readHolder } from '../holder.ts';

/** One of the two databases of a move. */
export interface End {
  server: DatabaseServer;
  database: Knex;
}

/** Both databases of a move: the source as it is at one moment, for reading only. */
export interface Ends {
  source: End & {
    /** Asks whether no other process can have changed the database since it was claimed, before it was read. */
    wasHeld(): Promise<boolean>;
  };
  target: End & {
    /** Whether another process has taken the database meanwhile. */
    isLost(): boolean;
  };
}

/** A failure that lasts until a person changes something, in one line. */
export const refusal = ({ name }: DatabaseServer, message: string): StartError =>
  new StartError(onOneLine(`${name}: ${message}`), { exitStatus: EXIT_CONFIG });

/** Opens both databases for this process alone while `work` runs. @throws StartError */
export async function withBoth(
  choices: { from: DatabaseChoice; to: DatabaseChoice },
  work: (ends: Ends) => Promise<void>,
): Promise<void> {
  const [source, target] = [databaseServer(choices.from), databaseServer(choices.to)];
  if ('sqlite' in choices.from) requireFile(choices.from.sqlite.file, source);
  await claimedFor(source, async (held) =>
    claimedFor(target, async (claim) => {
      let isLost = false;
      claim.onLost(() => {
        isLost = true;
      });
      const database = target.connect('serve');
      try {
        await reading(source, (moment) =>
          work({
            source: { ...moment, wasHeld: () => held.wasHeld() },
            target: { server: target, database, isLost: () => isLost },
          }),
        );
      } finally {
        await database.destroy();
      }
    }),
  );
}

/** Like `withBoth`, and changes nothing: in place of a file that does not exist yet is an empty database in memory. @throws StartError */
export async function lookingAtBoth(
  choices: { from: DatabaseChoice; to: DatabaseChoice },
  work: (ends: Ends) => Promise<void>,
): Promise<void> {
  const [source, target] = [databaseServer(choices.from), databaseServer(choices.to)];
  if ('sqlite' in choices.from) requireFile(choices.from.sqlite.file, source);
  const isThere = !('sqlite' in choices.to) || sizeOf(choices.to.sqlite.file, target) > 0;
  await claimedFor(source, (held) =>
    reading(source, async (moment) => {
      const workOn = (database: Knex) =>
        work({
          source: { ...moment, wasHeld: () => held.wasHeld() },
          target: { server: target, database, isLost: () => false },
        });
      if (isThere) return claimedFor(target, () => reading(target, ({ database }) => workOn(database)));
      const empty = memoryDatabase();
      try {
        await workOn(empty);
      } finally {
        await empty.destroy();
      }
    }),
  );
}

function requireFile(file: string, server: DatabaseServer): void {
  if (sizeOf(file, server) > 0) return;
  throw refusal(server, 'there is no database in this file: name the database that is to move');
}

/** Bytes of a file; 0 where there is none. */
function sizeOf(file: string, server: DatabaseServer): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return 0;
    throw new StartError(`${server.name}: ${server.refusal(error)?.message ?? String(systemCodeOf(error))}`, {
      cause: error,
    });
  }
}

/** Keeps other processes from the database while `work` runs. @throws StartError where another one uses it */
async function claimedFor(server: DatabaseServer, work: (claim: ProvableClaim) => Promise<void>): Promise<void> {
  const claim = await explained(server, () => claimed(server));
  try {
    await work(claim);
  } finally {
    await claim.release();
  }
}

async function claimed(server: DatabaseServer): Promise<ProvableClaim> {
  const claim = await server.claim(CONNECTOR);
  if (claim !== undefined) return claim;
  const database = server.inspect?.() ?? server.connect('serve');
  try {
    const holder = await readHolder(database, server);
    throw new StartError(`${server.name}: ${holder}: end every connector first, then run this again`);
  } finally {
    await database.destroy();
  }
}

/** Reads a database as it is at one moment: what others change meanwhile is not seen, and nothing can be written. */
async function reading(server: DatabaseServer, work: (moment: End) => Promise<void>): Promise<void> {
  // A statement over a whole table may take longer than one of the service.
  const database = await explained(server, async () => server.inspect?.() ?? server.connect('migrate'));
  const snapshot = server.inspect === undefined ? ({ isolationLevel: 'repeatable read', readOnly: true } as const) : {};
  try {
    await explained(server, () => database.transaction((moment) => work({ server, database: moment }), snapshot));
  } finally {
    await database.destroy();
  }
}
