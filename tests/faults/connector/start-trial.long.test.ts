import { afterAll, beforeAll, expect } from 'vitest';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const UNIT = 'homeport-connector.service';
const ALONE = '[Unit]\nDefaultDependencies=no\n';
const REFUSAL = 'homeport-connector: it could not start here, so its units were not changed: ';

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  container = await bootSystemd(
    // The machine's own soju would take its place in /run away again.
    { 'network-online.target': ALONE, 'soju.service': '->/dev/null' },
    {
      [`etc/systemd/system/${UNIT}.d/test.conf`]: ALONE,
      'etc/homeport/connector.json': JSON.stringify(exampleConfig),
      'etc/homeport/secrets/oidc': 'secret\n',
    },
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');
  await container.run('chmod', '-R', 'go=', '/etc/homeport/secrets');
  await container.run('ip', 'link', 'set', 'lo', 'up');
});

afterAll(() => container?.[Symbol.asyncDispose]());

const install = () =>
  container.attempt('env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`, 'install-units');
const configure = (config: object) =>
  container.run('sh', '-c', 'printf %s "$1" > /etc/homeport/connector.json', 'sh', JSON.stringify(config));
const stateOf = () => container.run('systemctl', 'show', '--property=MainPID,ActiveState,UnitFileState', UNIT);

realSystemd('an admin token that could be guessed keeps the connector from being enabled', async () => {
  await container.run('sh', '-c', 'umask 077; echo short > /etc/homeport/secrets/admin');

  const { status, complaint } = await install();

  expect(status).not.toBe(0);
  expect(complaint).toMatch(
    /^homeport-connector: it could not start here, so its units were not changed: .*adminTokenFile: [^\n]*$/,
  );
  expect((await container.attempt('test', '-e', `/etc/systemd/system/${UNIT}`)).status).toBe(1);
  await container.run('rm', '/etc/homeport/secrets/admin');
});

realSystemd(
  'a connector that runs goes on while its new configuration does not fit its database or its ports',
  async () => {
    expect(await install()).toMatchObject({ status: 0, complaint: '' });
    const before = await stateOf();
    expect(before).toContain('ActiveState=active\nUnitFileState=enabled');

    for (const [change, reason] of [
      [
        { baseUrl: 'https://another.example.org' },
        /: database\.sqlite\.file: .* belongs to the connector at https:\/\/irc\.example\.org/,
      ],
      [
        { metricsListen: { address: '192.0.2.1', port: 9000 } },
        /: metricsListen: 192\.0\.2\.1 port 9000 is not an address of this machine/,
      ],
      [
        { database: { sqlite: { file: '/var/lib/homeport-connector/none/a.db' } } },
        /: database\.sqlite\.file: no file can be made in \/var\/lib\/homeport-connector\/none/,
      ],
    ] as const) {
      await configure({ ...exampleConfig, ...change });
      const { status, complaint } = await install();
      expect(status).not.toBe(0);
      expect(complaint).toMatch(reason);
      expect(complaint.startsWith(REFUSAL)).toBe(true);
      expect(complaint).not.toContain('\n');
      expect(await stateOf()).toBe(before);
    }

    // A port that the running service has itself is free for it.
    await configure({ ...exampleConfig, logLevel: 'warn' });
    expect(await install()).toMatchObject({ status: 0, complaint: '' });
    expect(await stateOf()).not.toBe(before);
  },
);

realSystemd('a soju that the account of the service can’t reach is noted, and the service starts', async () => {
  await configure({ ...exampleConfig, logLevel: 'info' });
  const listener =
    "import os,socket,time; s=socket.socket(socket.AF_UNIX); s.bind('/run/soju/admin'); s.listen(); time.sleep(9999)";
  await container.run(
    'sh',
    '-c',
    `mkdir -p /run/soju; python3 -c "${listener}" >/dev/null 2>&1 &
    until [ -S /run/soju/admin ]; do sleep 0.05; done; chgrp homeport-soju /run/soju/admin; chmod 660 /run/soju/admin; chmod 700 /run/soju`,
  );

  const { status, output } = await install();

  expect(status).toBe(0);
  expect(output).toMatch(/^soju: this account does not reach it at \/run\/soju\/admin: .*may not be opened/m);
});
