import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { has } from '../../harness/capabilities.ts';
import { bootGuidedMachine, SERVICE_GUIDE } from '../../harness/guided-machine.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const UNIT = '/etc/systemd/system/homeport-connector.service';

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  container = await bootGuidedMachine();
});

afterAll(() => container?.[Symbol.asyncDispose]());

realSystemd('who follows the guide has a connector that reaches soju, a doctor who says so, and a guest', async () => {
  const shared = await container.attempt(
    ...(['env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`] as const),
    'share-soju',
  );
  expect(shared).toMatchObject({ status: 0, complaint: '' });
  expect(shared.output).toContain('soju shares /run/soju/admin with the group homeport-soju');
  const installed = await container.attempt(
    ...(['env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`] as const),
    'install-units',
  );
  expect(installed).toMatchObject({ status: 0, complaint: '' });
  // No work is left to do for soju.
  expect(installed.output).not.toContain('soju has no');
  expect(installed.output).not.toContain('soju does not');
  expect(installed.output).toContain(`wrote ${UNIT}\n`);

  const examine = async () =>
    (
      await container.attempt(
        ...(['env', '--chdir=/', 'CREDENTIALS_DIRECTORY=/etc/homeport/secrets'] as const),
        ...[`${REPOSITORY_INSIDE}/bin/homeport-connector`, 'doctor'],
      )
    ).output;
  const findings = await waitFor('the service has made its database', async () => {
    const output = await examine();
    return output.includes('with the schema of this version') ? output : undefined;
  });

  expect(findings).toMatch(/^ok +soju admin socket/m);
  expect(findings).toMatch(/^ok +soju listener/m);
  const [, secrets = '', words = ''] =
    /sudo (CREDENTIALS_DIRECTORY=\S+) homeport-connector (invite .+)/.exec(SERVICE_GUIDE) ?? [];
  const invited = await container.attempt(
    ...(['env', '--chdir=/', secrets] as const),
    ...[`${REPOSITORY_INSIDE}/bin/homeport-connector`, ...words.split(' ')],
  );
  expect(invited).toMatchObject({ status: 0, complaint: '' });
  expect(invited.output).toMatch(/^grace has #homeport\n.*https:\/\/irc\.example\.org\/settings/);
  expect(await container.run('stat', '-c', '%G %a', '/run/soju/admin')).toBe('homeport-soju 660');
  const asNobody = (groups: string) => ['setpriv', '--reuid=nobody', '--regid=nogroup', groups];
  const status = ['sojuctl', '-config', '/etc/soju/config', 'server', 'status'];
  expect((await container.attempt('env', ...asNobody('--groups=homeport-soju'), ...status)).status).toBe(0);
  expect((await container.attempt('env', ...asNobody('--clear-groups'), ...status)).status).toBe(1);
});
