import { accessSync, constants, statSync } from 'node:fs';
import type { Knex } from 'knex';
import { EXIT_CONFIG, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { Claim, ProvableClaim } from '../../ports/claims.ts';
import { type DatabaseChoice, databaseServer } from '../connect/index.ts';
import { CONNECTOR, type DatabaseServer } from '../connect/server.ts';
import { memoryDatabase } from '../connect/sqlite.ts';
import { explained, requireWritable } from '../database.ts';
import { readHolder } from '../holder.ts';

/** One of the two databases of a move. */
export interface End {
  server: DatabaseServer;
  database: Knex;
}

/** Both databases of a move: a read-only snapshot of the source, and the target. */
export interface Ends {
  source: End & {
    /** Whether no other process can have changed the database since it was claimed, before it was read. */
    wasHeld(): Promise<boolean>;
  };
  target: End & {
    /** Whether another process has taken the database meanwhile. */
    isLost(): boolean;
    /** Opens connections for statements that may take longer than those of the service. */
    connectPatiently(): Knex;
  };
}

/**
 * Further time without an answer about its claim after which a server counts as gone: the claim is in doubt after 20 s.
 */
const SILENCE_AFTER_DOUBT_MS = 10_000;

/** Creates the one-line error of a failure that lasts until a person acts. */
export const refusal = ({ name }: DatabaseServer, message: string): StartError =>
  new StartError(onOneLine(`${name}: ${message}`), { exitStatus: EXIT_CONFIG });

/** Opens both databases for this process alone while `work` runs. @throws StartError */
export async function withBoth(
  choices: { from: DatabaseChoice; to: DatabaseChoice },
  work: (ends: Ends) => Promise<void>,
): Promise<void> {
  const [source, target] = [databaseServer(choices.from), databaseServer(choices.to)];
  if ('sqlite' in choices.from) requireFile(choices.from.sqlite.file, source);
  if ('sqlite' in choices.to) sizeOf(choices.to.sqlite.file, target);
  await claimedFor(source, async (held) =>
    claimedFor(target, async (claim) => {
      let isLost = false;
      claim.onLost(() => {
        isLost = true;
      });
      const answering = whileAnswering(claim);
      const database = await explained(target, async () => target.connect('serve'));
      const connectPatiently = (): Knex => target.connect('migrate', answering);
      try {
        await reading(source, held, (moment) =>
          work({
            source: { ...moment, wasHeld: () => held.wasHeld() },
            target: { server: target, database, isLost: () => isLost, connectPatiently },
          }),
        );
      } finally {
        await database.destroy();
      }
    }),
  );
}

/**
 * Opens both databases like `withBoth`, without changes: an empty database in memory replaces a file that does not
 * exist yet.
 * @param work receives a function that throws if the move could not write into the target
 * @throws StartError
 */
export async function lookingAtBoth(
  choices: { from: DatabaseChoice; to: DatabaseChoice },
  work: (ends: Ends, requireTargetWritable: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const [source, target] = [databaseServer(choices.from), databaseServer(choices.to)];
  if ('sqlite' in choices.from) requireFile(choices.from.sqlite.file, source);
  const isThere = !('sqlite' in choices.to) || sizeOf(choices.to.sqlite.file, target) > 0;
  await claimedFor(source, (held) =>
    reading(source, held, (moment) => {
      const workOn = (database: Knex) =>
        work(
          {
            source: { ...moment, wasHeld: () => held.wasHeld() },
            target: { server: target, database, isLost: () => false, connectPatiently: () => database },
          },
          () => requireRoomAt(choices.to, target),
        );
      if (isThere) return claimedFor(target, (claim) => reading(target, claim, ({ database }) => workOn(database)));
      const empty = memoryDatabase();
      return workOn(empty).finally(() => empty.destroy());
    }),
  );
}

/**
 * Checks for room. Opening a file for writing would create it, or merge its log into it: so only its directory is
 * tried.
 */
async function requireRoomAt(choice: DatabaseChoice, server: DatabaseServer): Promise<void> {
  if (!('sqlite' in choice)) return requireWritable(choice);
  await explained(server, async () => {
    server.requireRoom?.();
    const { file } = choice.sqlite;
    if (sizeOf(file, server) > 0) accessSync(file, constants.W_OK);
  });
}

function requireFile(file: string, server: DatabaseServer): void {
  if (sizeOf(file, server) > 0) return;
  throw refusal(server, 'there is no database in this file: name the database that is to move');
}

/** Returns the bytes of a file; 0 if it does not exist. @throws StartError for a directory */
function sizeOf(file: string, server: DatabaseServer): number {
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    return found.size;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return 0;
    throw new StartError(`${server.name}: ${server.refusal(error)?.message ?? String(systemCodeOf(error))}`, {
      cause: error,
    });
  }
}

/** Keeps other processes from the database while `work` runs. @throws StartError if another one uses it */
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

/** Reads a snapshot of a database: changes by others are not visible, and writes are refused. */
async function reading(
  server: DatabaseServer,
  claim: ProvableClaim,
  work: (moment: End) => Promise<void>,
): Promise<void> {
  // A statement over a whole table may take longer than one of the service.
  const connect = (): Knex => server.inspect?.() ?? server.connect('migrate', whileAnswering(claim));
  const database = await explained(server, async () => connect());
  const snapshot = server.inspect === undefined ? ({ isolationLevel: 'repeatable read', readOnly: true } as const) : {};
  try {
    await explained(server, () => database.transaction((moment) => work({ server, database: moment }), snapshot));
  } finally {
    await database.destroy();
  }
}

/**
 * Wraps a claim so that its connections end when its server stops answering, also within a statement that has no
 * deadline of its own. It tolerates the doubt that `reading` can bear: a claim that is taken again at once.
 */
export function whileAnswering(claim: Pick<Claim, 'isTrusted' | 'onDoubt'>): Claim {
  let isSilent = false;
  const listeners: (() => void)[] = [];
  claim.onDoubt(() => {
    const fallSilent = (): void => {
      if (isSilent || claim.isTrusted()) return;
      isSilent = true;
      for (const listener of listeners) listener();
    };
    setTimeout(fallSilent, SILENCE_AFTER_DOUBT_MS).unref();
  });
  return {
    isTrusted: () => !isSilent,
    onDoubt: (doubted) => void listeners.push(doubted),
    onLost: () => undefined,
    release: async () => undefined,
  };
}
