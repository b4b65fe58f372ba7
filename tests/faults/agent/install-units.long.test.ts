import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { serviceLifecycle } from '../../../src/kernel/systemd/hardening.ts';
import { needs } from '../../harness/needs.ts';
import { bootSystemd } from '../../harness/systemd-container.ts';

const alone = '[Unit]\nDefaultDependencies=no\n';

/** The lifecycle without `Type=notify`, which sleep(1) does not serve. */
const lifecycle = Object.entries({ ...serviceLifecycle, Type: 'exec' })
  .map(([directive, value]) => `${directive}=${value}`)
  .join('\n');

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
