import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import knex from 'knex';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { applicationName } from '../../../src/connector/store/hold/application-name.ts';
import { beat } from '../../../src/connector/store/hold/process-rows.ts';
import { administer, type PostgresAddress } from '../../harness/administer.ts';
import { needs } from '../../harness/needs.ts';
import { startPgBouncer } from '../../harness/pgbouncer.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import {
  type ConnectorStack,
  connectorCommand,
  startConnectorStack,
  writeConfig,
} from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase, type TestDatabase } from '../../harness/test-database.ts';

const OWNER = 'examined_owner';
/** Connections of another program: more than come and go meanwhile. */
const OTHERS = 30;

let server: PostgresAddress;
let database: TestDatabase;
let name: string;
let stack: ConnectorStack;
let pair: StandbyPair;

beforeAll(async () => {
  const given = inject('postgres');
  if (given === undefined) throw new Error('this file needs PostgreSQL');
  server = given;
  await administer(server, `DO $$ BEGIN CREATE ROLE ${OWNER} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  database = await serverDatabase(server);
  const { postgres } = database.config;
  if (postgres === undefined) throw new Error('a database on the server');
  name = postgres.database;
  // Limits do not hold for a superuser.
  await administer(server, `ALTER DATABASE ${name} OWNER TO ${OWNER}`);
  database.config.postgres = { ...postgres, user: OWNER };
  stack = await startConnectorStack({ database });
  pair = await StandbyPair.start(stack);
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

test('the log of each process names it as the doctor and the metrics do', async () => {
  for (const { process } of [pair.serving, pair.waiting]) {
    const lines = process
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { process?: string });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line.process).toMatch(new RegExp(`^process ${process.pid} on `));
  }
});

test('the doctor says which processes serve, which wait, and that their versions differ', async () => {
  await enterProcess('early', { serves: true });

  const line = await lineOf('processes');

  expect(line).toMatchObject({ ok: true });
  expect(line?.says).toContain('; early on another machine serves as well, process ');
  expect(line?.says).toMatch(/ waits; versions differ: process \d+ on .* early on another machine is 0\.0\.1; restart/);
});

test('a process whose clock is off by more than 5 s is named', async () => {
  await enterProcess('fast', { aheadMs: 7_000 });

  const line = await lineOf('processes');

  expect(line).toMatchObject({ ok: false, remedy: 'set the clock of that machine right' });
  expect(line?.says).toContain('the clock of fast on another machine is 7 s ahead of the database’s');
});

test('the clock of this machine is compared with the database’s', async () => {
  expect(await lineOf('clock')).toMatchObject({ ok: true, says: expect.stringContaining('agrees with the database') });
});

test('fewer connections than all processes open are a problem, which names the limit', async () => {
  expect(await lineOf('connections')).toMatchObject({
    ok: true,
    says: expect.stringContaining('2 processes open up to 30, and '),
  });

  await administer(server, `ALTER DATABASE ${name} CONNECTION LIMIT 29`);
  onTestFinished(async () => void (await administer(server, `ALTER DATABASE ${name} CONNECTION LIMIT -1`)));
  const few = await lineOf('connections');

  expect(few).toMatchObject({ ok: false, remedy: expect.stringContaining('database.postgres.poolSize') });
  expect(few?.says).toBe('2 processes open up to 30, but 29 are left for them: the database’s CONNECTION LIMIT is 29');
  expect(await lineOf('connections', { poolSize: 100 })).toMatchObject({
    ok: false,
    says: expect.stringContaining('2 processes open up to 306'),
  });
});

test('a database that every role of the server may connect to is reported, until the guide has been followed', async () => {
  const guide = await readFile('docs/guides/postgresql.md', 'utf8');
  const [, revoke = ''] = /psql --quiet --command='(REVOKE [^']+)'/.exec(guide) ?? [];
  const before = await lineOf('connections');
  // As in each database that PostgreSQL 14 and earlier have made, on a server with another role.
  const connection = database.connect();
  await connection.raw('GRANT CREATE ON SCHEMA public TO PUBLIC').finally(() => connection.destroy());
  await administer(server, `DO $$ BEGIN CREATE ROLE visitor LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  const worse = await lineOf('connections');
  await administer(server, revoke.replace('"homeport-connector"', name));
  const after = await lineOf('connections');

  expect(before).toMatchObject({ ok: true, says: expect.stringContaining('any role of the server may connect') });
  expect(worse).toMatchObject({ ok: false, says: expect.stringContaining('that run with the rights of this program') });
  expect(after).toMatchObject({ ok: true, says: expect.stringMatching(/ are left for them$/) });
});

test('connections of other programs and those that are reserved are not left', async () => {
  const room = async (): Promise<number> => {
    const [, left] = /and (\d+) are left/.exec((await lineOf('connections'))?.says ?? '') ?? [];
    return Number(left);
  };
  const before = await room();
  const others = knex({ client: 'pg', connection: { ...database.config.postgres }, pool: { min: 0, max: OTHERS } });
  onTestFinished(() => others.destroy());
  await Promise.all(Array.from({ length: OTHERS }, () => others.raw('SELECT pg_sleep(0.5)')));

  // Others that run on the same server may come and go meanwhile.
  await expect.poll(async () => before - (await room()), { timeout: 120_000 }).toBeGreaterThan(0);
  const { rows } = await others.raw("SELECT current_setting('max_connections')::int - 3 AS most");
  expect(before).toBeLessThanOrEqual(rows[0].most);
});

test('a database that can’t be opened is one fault, in its own line', async () => {
  expect(await lineOf('database', { port: 1 })).toMatchObject({ ok: false });
  for (const subject of ['connections', 'processes', 'accounts', 'clock']) {
    expect([subject, (await lineOf(subject, { port: 1 }))?.ok]).toEqual([subject, true]);
  }
});

needs('PgBouncer')('the doctor refuses a pooler in transaction mode, and notes one in session mode', async () => {
  const lines: (Line | undefined)[] = [];
  for (const mode of ['transaction', 'session'] as const) {
    await using folder = await tempFolder();
    await using pooler = await startPgBouncer(folder.path, server, mode);
    const { host, port } = pooler;
    lines.push(await lineOf('connections', { host, port, user: server.superuser }));
  }

  expect(lines[0]).toMatchObject({ ok: false, says: expect.stringContaining('set its pool_mode to session') });
  expect(lines[1]).toMatchObject({ ok: true, says: expect.stringContaining('a pooler in session mode is in between') });
});

/** Returns the doctor's line about a subject. @param where the database, if it is reached in another way */
async function lineOf(subject: string, where: object = {}): Promise<Line | undefined> {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  const postgres = { ...database.config.postgres, ...where };
  const file = await writeConfig(join(stack.folder, 'doctor'), { ...config, database: { postgres } });
  const [program, ...args] = connectorCommand(file, 'doctor');
  const { stdout } = await execa(program, [...args, '--json'], { reject: false, timeout: 120_000 });
  const { checks } = JSON.parse(stdout) as { checks: Line[] };
  return checks.find((line) => line.name === subject);
}

/** Enters a process of another version, with a session at the server, until the test ends. */
async function enterProcess(processId: string, { version = '0.0.1', aheadMs = 0, serves = false } = {}): Promise<void> {
  const connection = { ...database.config.postgres, application_name: applicationName(processId) };
  const session = knex({ client: 'pg', connection, pool: { min: 1, max: 1 } });
  onTestFinished(async () => {
    await session('processes').where('process_id', processId).delete();
    await session.destroy();
  });
  await beat(session, { processId, name: `${processId} on another machine`, version }, aheadMs);
  if (serves) await session('processes').where('process_id', processId).update({ reads_since: 1 });
}

interface Line {
  name: string;
  ok: boolean;
  says: string;
  remedy?: string;
}
