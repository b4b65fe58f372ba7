import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { migrateDatabase } from '../../src/connector/store/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { tempFolder } from './temp-folder.ts';
import { fileDatabase, serverDatabase, type TestDatabase } from './test-database.ts';

/** Made once, because bringing a database up to date takes longer than most tests that need one. */
let emptyFile: Promise<Buffer> | undefined;

/**
 * Like `testDatabase`, with the schema up to date: a copy of one that was brought up to date before.
 * @param folder where the file is, if it is one
 */
export async function migratedDatabase(folder: string): Promise<TestDatabase> {
  const postgres = inject('postgres');
  if (postgres !== undefined) return serverDatabase(postgres, { template: postgres.migrated });
  emptyFile ??= migrateFile();
  const file = join(folder, 'test.db');
  await writeFile(file, await emptyFile, { mode: 0o600 });
  return fileDatabase(file);
}

async function migrateFile(): Promise<Buffer> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'empty.db');
  await migrateDatabase({ sqlite: { file } }, systemClock);
  return readFile(file);
}
