import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { bootSystemd, REPOSITORY_INSIDE, type SystemdContainer } from '../../harness/systemd-container.ts';

const guide = readFileSync('docs/guides/connector-service.md', 'utf8');

/** The block of the guide that follows a file's path. */
function fileOf(path: string): string {
  const block = guide.slice(guide.indexOf(`\`${path}\``)).match(/```\w+\n(.*?)```/s);
  if (block === null) throw new Error(`the guide has no text for ${path}`);
  return block[1] ?? '';
}

const UNIT = '/etc/systemd/system/homeport-connector.service';

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  // Without the usual dependencies, which would bring up half a machine.
  const alone = '[Unit]\nDefaultDependencies=no\n';
  const written = [
    '/etc/soju/config',
    '/etc/systemd/system/soju.service.d/homeport.conf',
    '/etc/homeport/connector.json',
  ];
  container = await bootSystemd(
    { 'network-online.target': alone },
    {
      ...Object.fromEntries(written.map((path) => [path.slice(1), fileOf(path)])),
      ...Object.fromEntries(
        ['soju', 'homeport-connector'].map((name) => [`etc/systemd/system/${name}.service.d/alone.conf`, alone]),
      ),
      'etc/homeport/secrets/oidc': 'secret',
    },
  );
  await container.run(
    'chmod',
    '-R',
    'a+rX',
    '/etc/soju',
    '/etc/systemd',
    '/etc/homeport/connector.json',
    '/etc/homeport',
  );
  await container.run('chmod', '-R', 'go=', '/etc/homeport/secrets');
  await container.run('install', '-d', '-o', 'soju', '/var/lib/soju');
  await container.run('ip', 'link', 'set', 'lo', 'up');
});

afterAll(() => container?.[Symbol.asyncDispose]());

realSystemd('who follows the guide has a connector that reaches soju, a doctor who says so, and a guest', async () => {
  await container.run('systemd-sysusers', '--inline', 'g homeport-soju -');
  await container.run('systemctl', 'start', 'soju');
  const installed = await container.attempt(
    ...(['env', '--chdir=/', `${REPOSITORY_INSIDE}/bin/homeport-connector`] as const),
    'install-units',
  );
  expect(installed).toMatchObject({ status: 0, complaint: '' });
  // Nothing is left to do for soju.
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
    return output.includes('schema is that of this version') ? output : undefined;
  });

  expect(findings).toMatch(/^ok +soju admin socket/m);
  expect(findings).toMatch(/^ok +soju listener/m);
  const [, secrets = '', words = ''] =
    /sudo (CREDENTIALS_DIRECTORY=\S+) \S+\/homeport-connector (invite .+)/.exec(guide) ?? [];
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
