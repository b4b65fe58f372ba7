import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { connectAgent } from '../../harness/agent.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { secretFile, startConnectorStack, writeConfig } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

test('a broken configuration lists every problem and exits 78, and no file is created', async () => {
  await using folder = await tempFolder();
  const file = await writeConfig(folder.path, {
    baseUrl: 'ftp://x/',
    ircChannels: [],
    settings: { ownerLogins: 'ada' },
    identityProvider: {},
    bouncer: { soju: { network: {} } },
    stateDirectory: join(folder.path, 'state'),
    colour: 'red',
  });

  const { exitCode, stderr } = await runConnector(file);

  expect(exitCode).toBe(78);
  for (const path of [
    'baseUrl',
    'ircChannels',
    'settings.ownerLogins',
    'identityProvider',
    'bouncer.soju.network.address',
    'colour',
  ]) {
    expect(stderr).toContain(`${path}: `);
  }
  expect(await readdir(folder.path)).toEqual(['connector.json']);
});

test('a busy port is one line that names the option', async () => {
  await using folder = await tempFolder();
  const busy = createServer().listen(0, '127.0.0.1');
  await waitFor('the port is taken', () => busy.listening);
  const { port } = busy.address() as AddressInfo;

  const { exitCode, stderr } = await runConnector(
    await lonelyConfig(folder.path, { listen: { port }, logLevel: 'error' }),
  );

  busy.close();
  expect(exitCode).toBe(1);
  expect(stderr.split('\n')).toEqual([
    `homeport-connector: 127.0.0.1 port ${port} is in use by another program: stop it or choose another listen.port`,
  ]);
});

for (const [why, changes, words] of [
  [
    'a secret file that is missing',
    { adminTokenFile: '/nonexistent/admin' },
    'adminTokenFile: /nonexistent/admin does not exist',
  ],
  [
    'a state directory that can’t be made',
    { stateDirectory: '/dev/null/state' },
    'stateDirectory: /dev/null/state can',
  ],
] as const) {
  test(`${why} is one clear line`, async () => {
    await using folder = await tempFolder();

    const { exitCode, stderr } = await runConnector(await lonelyConfig(folder.path, changes));

    expect(exitCode).toBe(1);
    expect(stderr.split('\n')).toHaveLength(1);
    expect(stderr).toContain(words);
  });
}

for (const [why, changes, option] of [
  ['a proxy that is not an address', { trustedProxies: ['10.0.0.0/99'] }, 'trustedProxies[0]'],
  ['a base address that sends secrets in the clear', { baseUrl: 'http://irc.example.org' }, 'baseUrl'],
  [
    'a redirect address with a fragment',
    { oauthRedirectUris: ['https://actions.example/callback', 'https://actions.example/callback#top'] },
    'oauthRedirectUris[1]',
  ],
  [
    'a legacy client without redirect addresses',
    { legacyClient: { id: 'x', secretFile: '/dev/null' } },
    'oauthRedirectUris',
  ],
  [
    'metrics on the port of the service',
    { listen: { port: 9_000 }, metricsListen: { port: 9_000 } },
    'metricsListen.port',
  ],
] as const) {
  test(`${why} is refused by check-config and by run with status 78, which name the option`, async () => {
    await using folder = await tempFolder();
    const file = await lonelyConfig(folder.path, changes);

    for (const command of ['check-config', 'run']) {
      const { exitCode, stderr } = await runConnector(file, command);
      expect(exitCode).toBe(78);
      const [, ...problems] = stderr.split('\n');
      expect(problems).toEqual([
        expect.stringContaining(`  ${option}: expected `),
        'homeport-connector print-schema shows every option',
      ]);
    }
  });
}

test('an admin token of fifteen characters is refused with status 78, which names its option and does not repeat it', async () => {
  await using folder = await tempFolder();
  const token = 'fifteen-letters';
  const adminTokenFile = await secretFile(folder.path, 'admin', token);

  const { exitCode, stderr } = await runConnector(await lonelyConfig(folder.path, { adminTokenFile }));

  expect(exitCode).toBe(78);
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining(`adminTokenFile: ${adminTokenFile} must hold at least 16`),
  ]);
  expect(stderr).not.toContain(token);
});

test('a file that does not hold the keys is refused with status 78, which names its option and does not repeat it', async () => {
  await using folder = await tempFolder();
  const keysFile = await secretFile(folder.path, 'keys', JSON.stringify({ sealKey: 'no-key-at-all' }));

  const { exitCode, stderr } = await runConnector(await lonelyConfig(folder.path, { keysFile }));

  expect(exitCode).toBe(78);
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining(`keysFile: ${keysFile} does not hold the connector's keys`),
  ]);
  expect(stderr).not.toContain('no-key');
  expect(existsSync(join(folder.path, 'state'))).toBe(false);
});

test('keys that a file holds are used in place of those of the state directory, which are not made', async () => {
  await using folder = await tempFolder();
  const keysFile = await secretFile(folder.path, 'keys', JSON.stringify(JSON.parse(textOf(newKeys())), null, 2));
  await using stack = await startConnectorStack({ config: { keysFile } });
  await using agent = await connectAgent(stack, 'ada');

  await stack.restartConnector();

  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'offline' });
  expect(existsSync(join(stack.folder, 'state/keys.json'))).toBe(false);
});

test('without a bouncer and an identity provider it starts, and the sign-in page says what is missing', async () => {
  verifies('connector.endpoint.GET-healthz');
  await using stack = await startConnectorStack();
  await stack.identityProvider.process.stop();
  await stack.restartWithoutSoju();

  const health = await fetch(`${stack.baseUrl}/healthz`);
  const signIn = await fetch(`${stack.baseUrl}/login/idp`, { headers: { accept: 'text/html' } });

  expect(await health.json()).toEqual({ ok: true });
  expect(signIn.status).toBe(503);
  expect(await signIn.text()).toContain('Sign-in is not available');
});

test('going online without a bouncer is refused in words, and works when it is there', async () => {
  await using stack = await startConnectorStack();
  await using agent = await connectAgent(stack, 'ada');
  await stack.restartWithoutSoju();

  const refused = await agent.attempt('go_online');
  await stack.restartSoju();
  const online = await agent.call('go_online');

  expect(JSON.stringify(refused)).toContain('the bouncer does not answer');
  expect(online).toMatchObject({ presence: 'online', upstreamConnected: true });
});

test('SIGTERM ends it with status 0 in time, while an account is online', async () => {
  await using stack = await startConnectorStack();
  await using agent = await connectAgent(stack, 'ada');
  await agent.call('go_online');
  using waited = watchIdle();

  stack.connector.kill('SIGTERM');
  const end = await stack.connector.ended;

  expect(end).toMatchObject({ exitCode: 0 });
  expect(waited.read()).toBeLessThan(10_000);
});

test('its own files are readable only by its own user', async () => {
  await using stack = await startConnectorStack();

  const files = ['state/keys.json', ...(stack.database.kind === 'sqlite' ? ['test.db', 'test.db-wal'] : [])];
  for (const file of files) expect((await stat(join(stack.folder, file))).mode & 0o077).toBe(0);
});
