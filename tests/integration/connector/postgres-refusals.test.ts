import { join } from 'node:path';
import knex from 'knex';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { PASSWORD_ROLE } from '../../../scripts/stack/postgres.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { secretFile } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const server = inject('postgres') ?? { host: '', port: 0, superuser: '', certificate: '' };
const BAD = 78;

let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  folder = await tempFolder();
  await administer(
    `CREATE ROLE ${PASSWORD_ROLE} LOGIN PASSWORD 'right'`,
    'CREATE ROLE stranger LOGIN',
    'CREATE ROLE guest LOGIN',
    'CREATE DATABASE refusals TEMPLATE template0',
    `CREATE DATABASE owned OWNER ${PASSWORD_ROLE} TEMPLATE template0`,
    `CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
});

afterAll(async () => {
  await folder?.[Symbol.asyncDispose]();
});

const passwordFile = (password: string) => secretFile(folder.path, 'password', password);

test('a password that is wrong or missing, and the right one', async () => {
  const wrong = await migrate({ user: PASSWORD_ROLE, passwordFile: await passwordFile('a wrong one') });
  expect(wrong).toMatchObject({ exitCode: BAD });
  expect(wrong.stderr).toMatch(/the password of role asked is wrong: write the right one into .*passwordFile/);
  expect(wrong.stderr).not.toContain('a wrong one');

  const missing = await migrate({ user: PASSWORD_ROLE });
  expect(missing.exitCode).toBe(BAD);
  expect(missing.stderr).toMatch(/the server asks for a password: .* name it in database.postgres.passwordFile/);

  const right = await migrate({ user: PASSWORD_ROLE, passwordFile: await passwordFile('right') });
  expect(right.stderr).toMatch(/role asked may not make tables there: ALTER DATABASE "refusals" OWNER TO "asked"/);
});

for (const [why, settings, exitCode, says] of [
  [
    'a database that is not there',
    { database: 'none' },
    BAD,
    /no such database: CREATE DATABASE "none" OWNER "postgres"/,
  ],
  [
    'a role that is not there',
    { user: 'nobody' },
    BAD,
    /does not let role nobody in: create the role, and see pg_hba.conf/,
  ],
  [
    'a role the server refuses',
    { user: 'stranger' },
    BAD,
    /does not let role stranger in: create the role, and see pg_hba/,
  ],
  ['a role that may make no tables', { user: 'guest' }, BAD, /role guest may not make tables there: ALTER DATABASE/],
  ['another encoding', { database: 'ascii' }, BAD, /its encoding is SQL_ASCII: make it anew with ENCODING 'UTF8'/],
  ['a socket that is not there', { host: '/nowhere' }, 1, /no socket there: see that the server runs/],
  ['a host without a name', { host: 'nowhere.invalid' }, 1, /the host(’s name)? .*(is not known|can’t be looked up)/],
  [
    'a certificate nobody vouches for',
    { host: '127.0.0.1', tls: 'verify' },
    BAD,
    /its certificate is not trusted: name its authority/,
  ],
] as const) {
  test(`${why} is one clear line that names what to do`, async () => {
    const refused = await migrate(settings);

    expect(refused).toMatchObject({ exitCode });
    expect(refused.stderr).toMatch(says);
    expect(refused.stderr).toContain('database.postgres: ');
    expect(refused.stderr.split('\n')).toHaveLength(1);
  });
}

test('a port without a listener is one clear line, and may be tried again', async () => {
  const refused = await migrate({ host: 'localhost', port: await freePort() });

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/does not answer: see that the server runs and listens there/);
});

test('a server whose certificate is named is reached over TLS, with a password', async () => {
  const settings = { host: '127.0.0.1', tls: 'verify', database: 'owned', user: PASSWORD_ROLE };
  const done = await migrate({
    ...settings,
    caFile: server.certificate,
    passwordFile: await passwordFile('right'),
  });

  expect(done).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a server without TLS is one clear line where TLS is wanted', async () => {
  await administer('ALTER SYSTEM SET ssl = off', 'SELECT pg_reload_conf()');

  const refused = await migrate({ host: '127.0.0.1', tls: 'verify' });

  await administer('ALTER SYSTEM RESET ssl', 'SELECT pg_reload_conf()');
  expect(refused.exitCode).toBe(BAD);
  expect(refused.stderr).toMatch(/the server has no TLS: set database.postgres.tls to "off"/);
});

test('certificates that can’t be read are one clear line', async () => {
  const refused = await migrate({ tls: 'verify', caFile: join(folder.path, 'none.pem') });

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/database.postgres.caFile: .*none.pem can’t be read/);
});

async function administer(...statements: string[]): Promise<void> {
  const database = knex({ client: 'pg', connection: { ...server, user: server.superuser, database: 'postgres' } });
  for (const statement of statements) await database.raw(statement);
  await database.destroy();
}

/** Runs `migrate` and returns its status and what it prints. */
async function migrate(settings: Record<string, unknown>) {
  const { host, port } = server;
  const postgres = { host, port, database: 'refusals', user: server.superuser, ...settings };
  const { exitCode, stderr, stdout } = await runConnector(
    await lonelyConfig(folder.path, { database: { postgres } }),
    'migrate',
  );
  return { exitCode, stderr, stdout };
}
