import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { inject } from 'vitest';
import { administer } from './administer.ts';
import type { SmallDisk } from './small-disk.ts';
import { fileDatabase, serverDatabase, type TestDatabase } from './test-database.ts';

/** A database whose tables are on the small disk. */
export async function databaseOn(disk: SmallDisk): Promise<TestDatabase> {
  const server = inject('postgres');
  if (server === undefined) return fileDatabase(join(disk.path, 'test.db'));
  const name = `small_${randomBytes(4).toString('hex')}`;
  const location = join(disk.path, 'tables');
  await mkdir(location);
  // The server wants its directory for itself.
  await execa('chown', ['--reference', server.host, location]);
  await administer(server, `CREATE TABLESPACE ${name} LOCATION '${location}'`);
  const database = await serverDatabase(server, { where: `TABLESPACE ${name}` });
  return {
    ...database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await administer(server, `DROP TABLESPACE ${name}`);
    },
  };
}
