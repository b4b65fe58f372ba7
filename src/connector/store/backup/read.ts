import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT_CONFIG, messageOf, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import { VERSION } from '../../../kernel/version.ts';
import { KEYS_MAX_BYTES } from '../key-file.ts';
import { migrationSource } from '../migrations/index.ts';
import { isSameFile, sumOfBytes, sumOfFile } from './files.ts';
import {
  DATABASE_FILE,
  KEYS_FILE,
  MANIFEST_FILE,
  MANIFEST_MAX_BYTES,
  type Manifest,
  manifestOf,
  PROGRAM,
} from './manifest.ts';
import type { LongWork } from './report.ts';

/** An open backup: its descriptors stay readable after a change to another account. */
export interface OpenBackup {
  /** Its name in messages. */
  name: string;
  manifest: Manifest;
  /** Descriptor of its database. */
  database: number;
  /** Text of the keys beside it; undefined if they are kept elsewhere. */
  keys: string | undefined;
  close(): void;
}

/**
 * Opens a backup and reads its manifest and keys.
 * @throws StartError if the directory is not a backup, a later version made it, or a file is missing
 */
export async function openBackup(from: string): Promise<OpenBackup> {
  const folder = resolve(from);
  const name = `--from: ${folder}`;
  const manifest = readManifest(name, folder);
  const database = opened(name, folder, DATABASE_FILE);
  if (database === undefined) throw refused(name, `has no ${DATABASE_FILE}: copy all files of the backup there`);
  try {
    const keys = readKeys(name, folder);
    const stored = manifest.files[KEYS_FILE];
    if (keys !== undefined && stored !== undefined && !isSameFile(keys.sum, stored)) throw changed(name, KEYS_FILE);
    await requireKnown(name, manifest);
    return { name, manifest, database, keys: keys?.text, close: () => closeSync(database) };
  } catch (error) {
    closeSync(database);
    throw error;
  }
}

/** Reads the whole database of a backup. @throws StartError if its checksum differs */
export async function requireUnchanged({ name, manifest, database }: OpenBackup, work: LongWork): Promise<void> {
  work.begin('checked', manifest.files[DATABASE_FILE].bytes);
  const found = await sumOfFile(database, ({ length }) => work.advance(length));
  if (!isSameFile(found, manifest.files[DATABASE_FILE])) throw changed(name, DATABASE_FILE);
}

export const refused = (name: string, message: string): StartError =>
  new StartError(onOneLine(`${name}: ${message}`), { exitStatus: EXIT_CONFIG });

export const changed = (name: string, file: string): StartError =>
  refused(name, `${file} is not what was written (its checksum differs): take another backup; nothing was changed`);

function readManifest(name: string, folder: string): Manifest {
  const descriptor = opened(name, folder, MANIFEST_FILE);
  if (descriptor === undefined) throw refused(name, `is no backup of ${PROGRAM}: it has no ${MANIFEST_FILE}`);
  try {
    const text = fstatSync(descriptor).size > MANIFEST_MAX_BYTES ? '' : readFileSync(descriptor, 'utf8');
    const read = manifestOf(text);
    if (read.kind === 'manifest') return read.manifest;
    if (read.kind === 'later') throw refused(name, newer(read.version));
    throw refused(name, `is no backup of ${PROGRAM}, or ${MANIFEST_FILE} is damaged: take another one`);
  } finally {
    closeSync(descriptor);
  }
}

const newer = (version: string): string =>
  `a newer version of ${PROGRAM} has made it (${version}, this is ${VERSION}): install that version, or take an earlier backup`;

async function requireKnown(name: string, { migrations, version }: Manifest): Promise<void> {
  const known = (await migrationSource.getMigrations([])).map((step) => step.name);
  if (migrations.some((step) => !known.includes(step))) throw refused(name, newer(version));
}

function readKeys(name: string, folder: string) {
  const descriptor = opened(name, folder, KEYS_FILE);
  if (descriptor === undefined) return undefined;
  try {
    if (fstatSync(descriptor).size > KEYS_MAX_BYTES) throw changed(name, KEYS_FILE);
    const bytes = readFileSync(descriptor);
    return { text: bytes.toString('utf8'), sum: sumOfBytes(bytes) };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a descriptor of a regular file; undefined if no file has this name. */
function opened(name: string, folder: string, file: string): number | undefined {
  let descriptor: number;
  try {
    // Opening a pipe would block forever.
    descriptor = openSync(join(folder, file), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw refused(name, `${file} can’t be read (${messageOf(error)}): give it to the account that restores it`);
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw refused(name, `${file} is not a regular file`);
}
