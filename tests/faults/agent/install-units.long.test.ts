import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { serviceLifecycle } from '../../../src/kernel/systemd/hardening.ts';
import { needs } from '../../harness/needs.ts';
import { bootSystemd, REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const alone = '[Unit]\nDefaultDependencies=no\n';

/** Without `Type=notify`, which sleep(1) does not serve. */
const lifecycle = Object.entries({ ...serviceLifecycle, Type: 'exec' })
  .map(([directive, value]) => `${directive}=${value}`)
  .join('\n');

needs('systemd containers')('a service that does not start is told, with what it says', async () => {
  await using container = await bootSystemd(
    { 'network-online.target': alone },
    {
      'etc/systemd/system/homeport-agent.service.d/test.conf': alone,
      'etc/homeport/agent.json': JSON.stringify({ agent: { tokenFile: '$CREDENTIALS_DIRECTORY/t' } }),
      'etc/homeport/agent.token': 'two words\n',
    },
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');

  const { status, complaint } = await container.attempt(
    ...(['env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-agent`] as const),
    'install-units',
  );

  expect(status).toBe(1);
  expect(complaint).toMatch(/systemctl start homeport-agent\.service failed: /);
  expect(complaint).toMatch(/^homeport-agent\.service says: agent\.tokenFile: \S+ must hold one line of /m);
});

needs('systemd containers')(
  'a reload that comes before the agent can catch it has the agent started anew',
  async () => {
    await using container = await bootSystemd(
      {
        'early.service': `${alone}[Service]\n${lifecycle}\nExecStart=/bin/sleep infinity\nExecReload=/bin/kill -HUP $MAINPID\n`,
      },
      {},
    );
    const restarts = () => container.run('systemctl', 'show', '--property=NRestarts,ActiveState', 'early');
    await container.run('systemctl', 'start', 'early');

    // sleep(1) does what Node does in its first milliseconds: it ends.
    await container.run('systemctl', 'reload', 'early');

    await waitFor('it runs again', async () => (await restarts()) === 'NRestarts=1\nActiveState=active');
    await container.run('systemctl', 'stop', 'early');
    expect(await restarts()).toContain('ActiveState=inactive');
  },
);
