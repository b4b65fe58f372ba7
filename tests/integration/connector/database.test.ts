import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { migrationSource } from '../../../src/connector/store/migrations/index.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { type TestDatabase, testDatabase } from '../../harness/test-database.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let database: TestDatabase;
let configFile: string;
let port: number;
const running: ManagedProcess[] = [];

beforeEach(async () => {
  folder = await tempFolder();
  database = await testDatabase(folder.path);
  port = await freePort();
  configFile = await lonelyConfig(folder.path, { listen: { port }, database: database.config });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await database[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const names = async () => (await migrationSource.getMigrations([])).map(({ name }) => name);

test('a second process with the same configuration does not start, and takes over when the first was killed', async () => {
  const first = await startService();

  const second = await runConnector(configFile);

  expect(second.exitCode).toBe(1);
  expect(second.stderr.split('\n')).toHaveLength(1);
  if (database.kind === 'sqlite') {
    expect(second.stderr).toMatch(/database\..* process \d+ on .* uses it; .*: end that one/);
    expect(second.stderr).toContain(`process ${first.pid} on `);
  } else {
    // It would wait as a standby, if it could listen.
    expect(second.stderr).toContain(`port ${port} is in use by another program`);
  }
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).ok).toBe(true);

  first.kill('SIGKILL');
  await first.ended;
  await startService();
});

test('when two processes migrate at once, one does it, the other waits, and each step runs once', async () => {
  const both = await Promise.all([runConnector(configFile, 'migrate'), runConnector(configFile, 'migrate')]);

  expect(both.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const done = (await names()).map((name) => `done: ${name}`).join('\n');
  expect(both.map(({ stdout }) => stdout).sort()).toEqual([done, 'the database is up to date'].sort());
  expect(await look((connection) => connection('knex_migrations').orderBy('id').pluck('name'))).toEqual(await names());
});

test('a migration beside a running service succeeds when all steps are done', async () => {
  await startService();

  const { exitCode, stdout } = await runConnector(configFile, 'migrate');

  expect([exitCode, stdout]).toEqual([0, 'the database is up to date']);
});

test('a migration that was killed goes on where it was', async () => {
  await look(async (connection) => {
    for (let step = 0; step < 2; step += 1) await connection.migrate.up({ migrationSource });
    await connection('knex_migrations_lock').update({ is_locked: 1 });
  });

  const { exitCode, stdout } = await runConnector(configFile, 'migrate');

  const rest = (await names()).slice(2).map((name) => `done: ${name}`);
  expect([exitCode, stdout.split('\n')]).toEqual([0, rest]);
});

test('a database of a newer version is left alone, with a line that says what to do', async () => {
  await runConnector(configFile, 'migrate');
  await look((connection) =>
    connection('knex_migrations').insert({ name: '9999-from-the-future', batch: 9, migration_time: new Date() }),
  );

  for (const command of ['run', 'migrate']) {
    const { exitCode, stderr } = await runConnector(configFile, command);

    expect(exitCode).toBe(78);
    expect(stderr.split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/database\..*newer version.*9999-from-the-future.*restore the backup/);
  }
});

async function startService(): Promise<ManagedProcess> {
  const connector = startProcess({ name: 'connector', command: connectorCommand(configFile) });
  running.push(connector);
  const answers = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  await waitFor('the connector answers', answers, { process: connector });
  return connector;
}

/** Reads the database as another program sees it. */
async function look<T>(at: (connection: ReturnType<TestDatabase['connect']>) => Promise<T>): Promise<T> {
  const connection = database.connect();
  try {
    return await at(connection);
  } finally {
    await connection.destroy();
  }
}
