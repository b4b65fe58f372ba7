import { expect } from 'vitest';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { needs } from '../../harness/needs.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const alone = '[Unit]\nDefaultDependencies=no\n';

needs('systemd containers')(
  'a service that moves from SQLite to PostgreSQL over a socket gets an account that the server can look up',
  async () => {
    await using container = await bootSystemd(
      { 'network-online.target': alone },
      {
        'etc/systemd/system/homeport-connector.service.d/test.conf': alone,
        'etc/homeport/connector.json': JSON.stringify(exampleConfig),
        'etc/homeport/secrets/oidc': 'secret\n',
      },
    );
    await container.run('chmod', '-R', 'a+rX', '/etc');
    await container.run('chmod', '-R', 'go=', '/etc/homeport/secrets');
    await container.run('ip', 'link', 'set', 'lo', 'up');
    const configure = (config: object) =>
      container.run('sh', '-c', 'printf %s "$1" > /etc/homeport/connector.json', 'sh', JSON.stringify(config));
    const install = () =>
      container.attempt('env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`, 'install-units');

    expect(await install()).toMatchObject({ status: 0, complaint: '' });
    expect(await container.run('getent', 'passwd', 'homeport-connector')).toContain(':Dynamic User:');

    await configure({ ...exampleConfig, database: { postgres: {} } });
    const moved = await install();
    // There is no PostgreSQL yet; its account is there, so that the server can be given a role for it.
    expect(moved.complaint).toContain(
      'it could not start here, so its units were not changed: database.postgres: homeport-connector at /run/postgresql port 5432: has no socket there',
    );
    expect(moved.complaint).toContain('homeport-connector.service had to be stopped for a new account, and stays so');
    expect(moved.complaint).not.toContain('\n');
    expect(await container.run('grep', '^homeport-connector:', '/etc/passwd')).toContain(':Homeport connector:');
    expect(await container.run('stat', '-Lc', '%U', '/var/lib/homeport-connector')).toBe('homeport-connector');

    await configure(exampleConfig);
    expect(await install()).toMatchObject({ status: 0, complaint: '' });
  },
);
