import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT_CONFIG, messageOf, onOneLine, StartError } from '../../../kernel/errors.ts';
import type { ProvableClaim } from '../../ports/claims.ts';
import type { Keys } from '../../ports/keys.ts';
import type { Seal } from '../../ports/seal.ts';
import { claimed } from '../claimed.ts';
import { type DatabaseChoice, databaseServer } from '../connect/index.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { explained } from '../database.ts';
import { readHolder } from '../holder.ts';
import type { InstallationClaim } from '../installation.ts';
import { oldFile, putFile } from './into-file.ts';
import { contentOnServer, fillServer } from './into-server.ts';
import type { KeysInPlace } from './keys-in-place.ts';
import { type OpenBackup, requireUnchanged } from './read.ts';
import type { LongWork } from './report.ts';
import { removeStaged, type Staged, stage } from './stage.ts';

export interface RestoreOptions {
  backup: OpenBackup;
  choice: DatabaseChoice;
  stateDirectory: string;
  /** The keys that belong to the backup. */
  keys: Keys;
  seal: Seal;
  claim: InstallationClaim;
  /** Puts the keys in place; undefined if the owner manages the file of keys. */
  keysInPlace: KeysInPlace | undefined;
  /** Whether a database with content may be moved aside. */
  mayReplace: boolean;
  /** Suffix of the kept files' names, and name of the schema that keeps old tables. */
  aside: { ending: string; schema: string };
  now: number;
  work: LongWork;
  /** Receives the function that removes the copy, for a signal that ends the process. */
  begun(discard: () => void): void;
  /** Called before the last step, which can't be undone: a signal must not end the process in the middle of it. */
  completes(): void;
}

/** Result of a restore. */
export interface Restored extends Omit<Staged, 'path'> {
  /** Place of the old database; undefined if there was no database. */
  keptDatabase: string | undefined;
  /** Path of the old keys, if they differ. */
  keptKeys: string | undefined;
}

/**
 * Replaces the database by a backup. Steps that may fail are done before, on a copy; an interruption leaves the old
 * state.
 * @throws StartError, one line, if it fails
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { choice, backup, work } = options;
  const server = databaseServer(choice);
  await requireUnchanged(backup, work);
  if ('sqlite' in choice) mkdirSync(dirname(choice.sqlite.file), { recursive: true, mode: 0o700 });
  mkdirSync(options.stateDirectory, { recursive: true, mode: 0o700 });
  const held = await explained(server, () => claimed(server, usedByConnector));
  try {
    return 'sqlite' in choice
      ? await intoFile(options, { file: choice.sqlite.file, server })
      : await intoServer(options, { server, held });
  } finally {
    await held.release();
  }
}

async function intoFile(
  options: RestoreOptions,
  { file, server }: { file: string; server: DatabaseServer },
): Promise<Restored> {
  const { mayReplace, aside, keysInPlace } = options;
  const old = await explained(server, () => oldFile(file, server));
  const isFilled = old.state === 'filled' || old.state === 'damaged';
  if (isFilled && !mayReplace) throw notEmpty(server, old.holds);
  options.begun(() => removeStaged(file));
  const { path, ...staged } = await stage({ ...options, file });
  try {
    const keptKeys = keysInPlace?.openBoth();
    const kept = `${old.file}${aside.ending}`;
    options.completes();
    const isKept = await putFile(old, path, kept, server);
    keysInPlace?.finish();
    return { ...staged, keptKeys, keptDatabase: isKept ? kept : undefined };
  } finally {
    removeStaged(file);
  }
}

async function intoServer(
  options: RestoreOptions,
  { server, held }: { server: DatabaseServer; held: ProvableClaim },
): Promise<Restored> {
  const { mayReplace, aside, keysInPlace, stateDirectory, seal, work } = options;
  const { filled } = await contentOnServer(server);
  if (filled !== undefined && !mayReplace) throw notEmpty(server, `table ${filled} has rows`);
  const file = join(stateDirectory, 'connector.db');
  options.begun(() => removeStaged(file));
  const { path, ...staged } = await stage({ ...options, file });
  try {
    const keptKeys = keysInPlace?.openBoth();
    const { completes } = options;
    const target = { server, claim: held, staged: path, seal, aside: aside.schema, work, completes };
    const isKept = await fillServer(target);
    keysInPlace?.finish();
    return { ...staged, keptKeys, keptDatabase: isKept ? `schema ${aside.schema}` : undefined };
  } finally {
    removeStaged(file);
  }
}

const notEmpty = ({ name }: DatabaseServer, holds: string): StartError =>
  new StartError(
    onOneLine(
      `${name}: is not empty (${holds}): with --replace the restored database takes its place, and it is kept aside; nothing was changed`,
    ),
    { exitStatus: EXIT_CONFIG },
  );

/** Returns the error for a database that a connector uses. */
const usedByConnector = async (server: DatabaseServer): Promise<StartError> =>
  new StartError(
    onOneLine(
      `${server.name}: ${await holderOf(server)}: stop every connector (${howToStop(server)}), then run this again; nothing was changed`,
    ),
  );

/** Several processes have a unit each, and may be on several machines. */
const howToStop = ({ join: mayBeShared }: DatabaseServer): string =>
  mayBeShared === undefined
    ? 'systemctl stop homeport-connector'
    : `systemctl stop homeport-connector, or with several processes systemctl stop 'homeport-connector@*', on each machine`;

async function holderOf(server: DatabaseServer): Promise<string> {
  const database = server.inspect?.() ?? server.connect('migrate');
  try {
    return await readHolder(database, server);
  } catch (error) {
    return `another process uses it (${messageOf(error)})`;
  } finally {
    await database.destroy();
  }
}
