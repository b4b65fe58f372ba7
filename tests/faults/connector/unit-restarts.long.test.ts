import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const UNIT = 'homeport-connector.service';
const ALONE = '[Unit]\nDefaultDependencies=no\n';
/** Each start first waits half a minute for the server, so that the journal is not filled. */
const SEVERAL_RESTARTS = 2;
/** Idle time of all these waits, and of the last one, which a process with the old configuration may have begun. */
const WAITS_IDLE_MS = 180_000;

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  container = await bootSystemd(
    { 'network-online.target': ALONE },
    {
      [`etc/systemd/system/${UNIT}.d/test.conf`]: ALONE,
      'etc/homeport/connector.json': JSON.stringify(exampleConfig),
      'etc/homeport/secrets/oidc': 'secret\n',
    },
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');
  await container.run('chmod', '-R', 'go=', '/etc/homeport/secrets');
  await container.run('ip', 'link', 'set', 'lo', 'up');
  const program = `${REPOSITORY_INSIDE}/bin/homeport-connector`;
  expect(await container.attempt('env', '--chdir=/', program, 'install-units')).toMatchObject({ status: 0 });
});

afterAll(() => container?.[Symbol.asyncDispose]());

const property = (name: string) => container.run('systemctl', 'show', '--value', `--property=${name}`, UNIT);
const restarts = async () => Number(await property('NRestarts'));
const configure = (config: object) =>
  container.run('sh', '-c', 'printf %s "$1" > /etc/homeport/connector.json', 'sh', JSON.stringify(config));

realSystemd('a service whose database is away is started again until it is back, and never given up', async () => {
  await configure({ ...exampleConfig, database: { postgres: { host: '/run/nowhere' } } });
  await container.attempt('systemctl', 'restart', '--no-block', UNIT);
  await waitFor('it was started several times', async () => (await restarts()) >= SEVERAL_RESTARTS, {
    timeoutMs: WAITS_IDLE_MS,
  });
  expect(await property('ActiveState')).toBe('activating');
  // systemd itself counts no starts, however many follow.
  expect(await property('StartLimitIntervalUSec')).toBe('0');
  await waitFor('it says why', async () => (await property('StatusText')).includes('has no socket there'));

  await configure(exampleConfig);
  await waitFor('it runs', async () => (await property('ActiveState')) === 'active', { timeoutMs: WAITS_IDLE_MS });
});

realSystemd('a service with another base address or other keys stays down until they are right', async () => {
  await configure({ ...exampleConfig, baseUrl: 'https://another.example.org' });
  await container.attempt('systemctl', 'restart', UNIT);
  const before = await restarts();
  expect(await property('ActiveState')).toBe('failed');
  expect(await property('ExecMainStatus')).toBe('78');
  expect(await property('StatusText')).toMatch(/belongs to the connector at .*: name the database of this address/);

  await configure(exampleConfig);
  const keys = '/var/lib/homeport-connector/keys.json';
  await container.run('mv', keys, '/root/keys.json');
  await container.attempt('systemctl', 'restart', UNIT);
  expect(await property('ExecMainStatus')).toBe('78');
  expect(await property('StatusText')).toMatch(/has encrypted contents, and .*keys\.json does not exist/);
  expect(await restarts()).toBe(before);

  await container.run('mv', '/root/keys.json', keys);
  await container.run('systemctl', 'restart', UNIT);
  expect(await property('ActiveState')).toBe('active');
});

realSystemd(
  'a service that is stopped while a client has sent half a request ends by itself before systemd would kill it',
  async () => {
    const half =
      'POST /register HTTP/1.1\\r\\nHost: irc.example.org\\r\\nContent-Type: application/json\\r\\nContent-Length: 99\\r\\n\\r\\n{';
    const asking = container.attempt('bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/8460; printf '${half}' >&3; cat <&3`);
    await waitFor(
      'the request has begun',
      async () => (await container.run('ss', '-Htn', 'sport', '=', ':8460')) !== '',
    );

    await container.run('systemctl', 'stop', UNIT);

    expect(await property('Result')).toBe('success');
    expect(await property('ExecMainStatus')).toBe('0');
    await asking;
  },
);
