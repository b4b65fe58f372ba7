/**
 * Records a database that the built program fills, so that later versions can be tried on it. Run it by hand before a
 * migration lands: `node tests/harness/record-database.ts FOLDER` writes `FOLDER/sqlite` and `FOLDER/postgres`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { startPostgres } from '../../scripts/stack/postgres.ts';
import { type Facts, RECORDED } from './recorded-database.ts';
import { recordLife } from './recorded-life.ts';
import { tempFolder } from './temp-folder.ts';
import { fileDatabase, serverDatabase, type TestDatabase } from './test-database.ts';

const DUMP_DEADLINE_MS = 120_000;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to write to');

await using temporary = await tempFolder();
await record(fileDatabase(join(temporary.path, 'recorded.db')), join(folder, 'sqlite'), async (database) => {
  const copy = join(temporary.path, 'copy.db');
  const connection = database.connect();
  await connection.raw('VACUUM INTO ?', [copy]);
  await connection.destroy();
  return readFile(copy);
});

await using serverFolder = await tempFolder();
const server = await startPostgres({ folder: serverFolder.path });
try {
  const { socketDirectory: host, port, superuser } = server;
  await using database = await serverDatabase({ host, port, superuser });
  await record(database, join(folder, 'postgres'), async ({ config }) => {
    const target = ['-h', host, '-p', String(port), '-U', superuser, config.postgres?.database ?? ''];
    const form = ['--no-owner', '--no-privileges', '--no-comments', '--inserts', '--rows-per-insert=100'];
    const { stdout } = await execa('pg_dump', [...form, ...target], { timeout: DUMP_DEADLINE_MS });
    return Buffer.from(statementsOf(stdout));
  });
} finally {
  await server.stop();
}

async function record(database: TestDatabase, to: string, contentOf: (of: TestDatabase) => Promise<Buffer>) {
  const { facts, keys } = await recordLife(database);
  await leaveOutMachine(database);
  await mkdir(to, { recursive: true });
  await writeFile(join(to, RECORDED.facts), `${JSON.stringify(facts satisfies Facts, null, 2)}\n`);
  await writeFile(join(to, RECORDED.keys), keys);
  await writeFile(join(to, RECORDED.database), gzipSync(await contentOf(database), { level: 9 }));
}

/** A lease names the machine of its holder. */
async function leaveOutMachine(database: TestDatabase): Promise<void> {
  const connection = database.connect();
  await connection('leases').update({ holder: 'process 1 on the machine of the recording' });
  await connection.destroy();
}

/** The dump without what is for its own client alone, or for servers of its version alone. */
function statementsOf(dump: string): string {
  const lines = dump.split('\n');
  return lines.filter((line) => !/^(\\|--|SET |SELECT pg_catalog\.set_config|$)/.test(line)).join('\n');
}
