import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT_CONFIG, messageOf, StartError } from '../../../kernel/errors.ts';

/** Path of the addon in the npm package sqlite3, once it is built. */
const BUILT = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

/**
 * Loads the addon of SQLite: from our package, whose builds are for several machines and every version of Node.js, or
 * from a checkout. The build replaces the lookup of the package sqlite3 by a call of this function.
 * @throws StartError for a machine that there is no build for
 */
export function loadSqliteAddon(): object {
  const here = import.meta.dirname;
  const packed = join(here, `native/sqlite3-${process.platform}-${process.arch}.node`);
  const file = existsSync(packed) ? packed : builtAbove(here);
  if (file === undefined) throw missing(packed, 'is not there');
  const addon: { exports: object } = { exports: {} };
  try {
    process.dlopen(addon, file);
  } catch (error) {
    throw missing(file, `can’t be loaded here (${messageOf(error).replace(/\n.*/s, '')})`);
  }
  return addon.exports;
}

function builtAbove(folder: string): string | undefined {
  const file = join(folder, BUILT);
  if (existsSync(file)) return file;
  return folder === dirname(folder) ? undefined : builtAbove(dirname(folder));
}

/** Builds one text for all kinds of machines, so that an owner can search for it. */
function missing(file: string, reason: string): StartError {
  return new StartError(
    `database: SQLite's addon ${file} ${reason}: for this machine (${process.platform}, ${process.arch}) build the npm package sqlite3 and put its node_sqlite3.node there, as the guide package.md shows, or use PostgreSQL (database.postgres)`,
    { exitStatus: EXIT_CONFIG },
  );
}
