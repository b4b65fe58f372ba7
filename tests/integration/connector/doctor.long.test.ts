import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import knex from 'knex';
import { expect } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startSoju } from '../../../scripts/stack/soju.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { startConnectProxy } from '../../harness/connect-proxy.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { startOidcLike } from '../../harness/oidc-like.ts';
import { connectorCommand, secretFile, writeConfig } from '../../harness/start-connector.ts';
import { createAuthority } from '../../harness/test-authority.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY = Date.UTC(2026, 0, 1);
/** No test needs the Internet. */
const OFFLINE = { oauth: { clientDocuments: false } };

const test = testWithStack();

/** An address without a listener. */
let nobody: string;
let config: Record<string, unknown> & { bouncer: { soju: object }; identityProvider: { oidc: object } };

test.beforeAll(async () => {
  nobody = `http://127.0.0.1:${await freePort()}`;
  config = JSON.parse(await readFile(stack.configFile, 'utf8')) as typeof config;
});

const withSoju = (changes: object) => ({ bouncer: { soju: { ...config.bouncer.soju, ...changes } } });
const withIssuer = (issuer: string) => ({ identityProvider: { oidc: { ...config.identityProvider.oidc, issuer } } });

test('if all is well each part has its line, and the status is 0', async () => {
  const { exitCode, lines, wrong } = await doctor();

  expect(wrong).toEqual([]);
  expect(exitCode).toBe(0);
  expect(lines.map((line) => line.slice(8, 26).trim())).toEqual([
    'base URL',
    'metadata',
    'identity provider',
    'client documents',
    'soju admin socket',
    'soju listener',
    'soju message store',
    'database',
    'connections',
    'processes',
    'accounts',
    'installation',
    'clock',
  ]);
});

test('a base URL that differs from the one clients use shows in the metadata', async () => {
  const { exitCode, wrong } = await doctor({ baseUrl: stack.baseUrl.replace('127.0.0.1', 'localhost') });

  expect(exitCode).toBe(1);
  expect(wrong).toEqual([
    expect.stringMatching(/metadata .* names http:\/\/127.* -> restart the connector/),
    expect.stringMatching(
      /installation .* belongs to the connector at http:\/\/127.* set previousBaseUrl to http:\/\/127/,
    ),
  ]);
});

test('the doctor says of a base URL without an answer whether the connector itself answers', async () => {
  const { wrong } = await doctor({ baseUrl: nobody });

  expect(wrong[0]).toMatch(/base URL .*ECONNREFUSED.* -> have the proxy of baseUrl pass requests to/);
  expect(wrong[1]).toMatch(/metadata .* -> mend the base URL first/);
});

test('an address that is not an identity provider is reported', async () => {
  const { wrong } = await doctor(withIssuer(nobody));
  const { wrong: other } = await doctor(withIssuer(stack.baseUrl));

  expect(wrong).toEqual([
    expect.stringMatching(/identity provider .*ECONNREFUSED.* -> start it, or set identityProvider/),
  ]);
  expect(other).toEqual([expect.stringMatching(/identity provider .* without OpenID Connect metadata -> /)]);
});

test('an identity provider that does not take the secret of the connector is reported', async () => {
  const clientSecretFile = await secretFile(stack.folder, 'another', 'another secret');
  const { wrong } = await doctor({
    identityProvider: { oidc: { ...config.identityProvider.oidc, clientSecretFile } },
  });

  expect(wrong).toEqual([
    expect.stringMatching(/identity provider .* does not take this client id with this secret: invalid_client -> take/),
  ]);
});

test('the line about documents of clients says whether they are asked for, and by which proxy they can’t be had', async () => {
  const line = ({ lines }: { lines: string[] }) => lines.find((text) => text.includes('client documents'));
  const off = await doctor();
  const on = await doctor({ oauth: {}, outboundProxy: { url: nobody } });

  expect(line(off)).toMatch(/^ok .*off: clients register instead$/);
  expect(line(on)).toMatch(/^ok .*claude\.ai can’t be reached by http:\/\/127\..* set outboundProxy/);
  expect(on.exitCode).toBe(0);
});

test('an identity provider that only the proxy of the environment reaches is examined by it, unless NO_PROXY names it', async () => {
  const folder = join(stack.folder, 'proxied');
  await mkdir(folder);
  const authority = await createAuthority(folder);
  await using provider = await startOidcLike(() => '');
  provider.issuer = 'https://id.example';
  const certificate = await authority.issue('DNS:id.example');
  await using front = await startTlsFront(certificate, provider.port);
  await using proxy = await startConnectProxy(front.port);
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//ada:secret@'), NODE_EXTRA_CA_CERTS: authority.file };
  provider.before = (req, res, next) =>
    req.path === '/token' ? res.status(400).json({ error: 'invalid_grant' }) : next();

  const by = await doctor(withIssuer(provider.issuer), env);
  const { exitCode, lines } = await doctor(withIssuer(provider.issuer), { ...env, NO_PROXY: 'x.example, .id.example' });

  expect(by.wrong).toEqual([]);
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['id.example:443']));
  expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from('ada:secret').toString('base64')}`);
  expect([exitCode, lines.find((line) => line.includes('identity provider'))]).toEqual([
    1,
    expect.stringMatching(/^WRONG .*https:\/\/id\.example: /),
  ]);
  expect(lines.join('')).not.toContain('secret@');
});

test('a missing soju, and one that can’t replay, are reported', async () => {
  await using forgetful = await disposable(
    startSoju({ folder: join(stack.folder, 'forgetful'), messageStore: 'memory' }),
  );
  const missing = await doctor(
    withSoju({ adminSocket: join(stack.folder, 'none'), address: `unix://${join(stack.folder, 'none')}` }),
  );
  const { wrong } = await doctor(withSoju({ address: forgetful.address }));

  expect(missing.wrong).toEqual([
    expect.stringMatching(/soju admin socket .*does not exist.* -> start soju, or set bouncer\.soju\.adminSocket/),
    expect.stringMatching(/soju listener .*ENOENT.* -> start soju, or set bouncer\.soju\.address/),
  ]);
  expect(wrong).toEqual([expect.stringMatching(/soju listener .*can’t replay.* -> set "message-store db"/)]);
});

test('a store of soju that keeps whole seconds is recognized by its lines', async () => {
  const file = join(stack.folder, 'coarse.db');
  await (await openDatabase({ sqlite: { file } }, systemClock)).close();
  await addLines(file, 6);

  const { wrong } = await doctor({ database: { sqlite: { file } } });

  expect(wrong).toEqual([expect.stringMatching(/soju message store .*whole seconds.* -> set "message-store db"/)]);
});

test('a database that is damaged, lacks steps, or does not exist yet is reported and not created', async () => {
  const folder = stack.folder;
  const old = join(folder, 'old.db');
  await writeFile(join(folder, 'damaged.db'), 'this is not a database, however long one looks at it'.repeat(100));
  await writeFile(old, '');

  const damaged = await doctor({ database: { sqlite: { file: join(folder, 'damaged.db') } } });
  const lacking = await doctor({ database: { sqlite: { file: old } } });
  const absent = await doctor({ database: { sqlite: { file: join(folder, 'absent.db') } } });

  expect(damaged.wrong.at(-1)).toMatch(/database .*damaged\.db.* -> /);
  expect(lacking.wrong).toEqual([expect.stringMatching(/database .*lacks 0001.* -> start the connector, or run/)]);
  expect([absent.exitCode, absent.wrong]).toEqual([0, []]);
  await expect(copyFile(join(folder, 'absent.db'), join(folder, 'copy'))).rejects.toThrow('ENOENT');
});

test('a doctor that is killed while it tries the room leaves no files', async () => {
  const preload = join(stack.folder, 'killed-at-sync.mjs');
  await writeFile(
    preload,
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
fs.fsyncSync = () => process.kill(process.pid, 'SIGKILL');
syncBuiltinESMExports();
`,
  );
  const beside = async () =>
    (await readdir(stack.folder, { recursive: true })).filter((name) => name.endsWith('.probe'));

  const { exitCode } = await doctor({}, { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` });

  // Only a signal ends it without a status.
  expect(exitCode).toBeUndefined();
  expect(await beside()).toEqual([]);
});

test('a file of SQLite that gives no room back is no fault, and is named with the command that mends it', async () => {
  const file = join(stack.folder, 'earlier.db');
  await (await openDatabase({ sqlite: { file } }, systemClock)).close();
  const database = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  await database.raw('PRAGMA auto_vacuum = NONE');
  await database.raw('VACUUM');
  await database.destroy();

  const { exitCode, lines, wrong } = await doctor({ database: { sqlite: { file } } });

  expect([exitCode, wrong]).toEqual([0, []]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok +database .*not become smaller by deletions until homeport-connector compact was run/),
  );
});

test('a clock that is an hour off is reported', async () => {
  const server = createServer(({ url }, res) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    res.setHeader('Date', new Date(Date.now() + HOUR_MS).toUTCString()).setHeader('Content-Type', 'application/json');
    const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    if (url === '/token') res.writeHead(400).end('{"error":"invalid_grant"}');
    else res.end(JSON.stringify(metadata));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));

  const { wrong } = await doctor(withIssuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  server.close();

  expect(wrong).toEqual([
    expect.stringMatching(/clock .*is 3[56]\d\d s behind the identity provider -> synchronize the clock/),
  ]);
});

test('a secret that can’t be read is one line, and a connector that is down is reported', async () => {
  const file = await writeConfig(join(stack.folder, 'doctor'), { ...config, adminTokenFile: '/nonexistent/token' });
  const [program, ...args] = connectorCommand(file, 'doctor');
  const { exitCode, stderr } = await execa(program, args, { reject: false });
  await stack.connector.stop();

  const { wrong } = await doctor();

  expect([exitCode, stderr.split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain('adminTokenFile: /nonexistent/token does not exist');
  expect(wrong[0]).toMatch(/base URL .* -> start the connector: no program listens/);
});

async function disposable<T extends { process: { stop(): Promise<unknown> } }>(starting: Promise<T>) {
  const started = await starting;
  return { ...started, [Symbol.asyncDispose]: async () => void (await started.process.stop()) };
}

/** Takes the encryption off, as a proxy before a provider does. */
async function startTlsFront(certificate: { key: string; cert: string }, port: number) {
  const sockets = new Set<Socket>();
  const server = createTlsServer(certificate, (socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const end of [socket, onward]) sockets.add(end.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Lines of an account whose times are whole seconds. */
async function addLines(file: string, count: number): Promise<void> {
  const database = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  await database('entries').insert(
    Array.from({ length: count }, (_, n) => ({
      ...{ entry_id: `ent_${n}`, account_id: 'acc', fingerprint: `${n}`, network: 'main', channel: '#room' },
      ...{ kind: 'message', sender: 'bob', text: 'x', text_folded: 'x', event_at: DAY + n * 1_000, observed_at: DAY },
      timestamp_source: 'server',
    })),
  );
  await database.destroy();
}

/** Runs the doctor on the configuration with these changes; the lines that are not ok. */
async function doctor(changes: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  const file = await writeConfig(join(stack.folder, 'doctor'), { ...config, ...OFFLINE, ...changes });
  const [program, ...args] = connectorCommand(file, 'doctor');
  const { exitCode, stdout } = await execa(program, args, { reject: false, timeout: 120_000, env });
  const lines = stdout.split('\n');
  return { exitCode, lines, wrong: lines.filter((line) => !line.startsWith('ok ')) };
}
