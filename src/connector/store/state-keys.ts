import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, StartError, systemCodeOf } from '../../kernel/errors.ts';
import type { Keys } from '../ports/keys.ts';
import { keysOf, newKeys } from './keys.ts';

/** Reads the keys of the state directory, or makes them. @throws StartError when the directory or the file can't be used */
export function loadStateKeys(stateDirectory: string): Keys {
  const file = join(stateDirectory, 'keys.json');
  try {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    return readKeys(file) ?? makeKeys(file);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`stateDirectory: ${stateDirectory} can't be used (${messageOf(error)})`, { cause: error });
  }
}

function readKeys(file: string): Keys | undefined {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new StartError(`${file} is readable by group or others: chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const keys = keysOf(text);
  if (keys === undefined)
    throw new StartError(`${file} is damaged: restore it from a backup, without it no stored secret opens`);
  return keys;
}

/** The file appears complete or not at all; when two processes start at once, both use the first one's. */
function makeKeys(file: string): Keys {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, newKeys(), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const keys = readKeys(file);
  if (keys === undefined) throw new StartError(`${file} vanished while it was made`);
  return keys;
}
