import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import {
  bootSystemd,
  canBootSystemd,
  REPOSITORY_INSIDE,
  type SystemdContainer,
} from '../../harness/systemd-container.ts';

const guide = readFileSync('docs/guides/connector-service.md', 'utf8');

/** The block of the guide that follows a file's path. */
function fileOf(path: string): string {
  const block = guide.slice(guide.indexOf(`\`${path}\``)).match(/```\w+\n(.*?)```/s);
  if (block === null) throw new Error(`the guide has no text for ${path}`);
  return block[1] ?? '';
}

/** Directives of the service, as the module's unit spells them, without those that name files. */
function directivesOf(unit: string): string[] {
  return (
    (unit.split('[Service]\n')[1] ?? '')
      .split(/\n\[|\n$/)[0]
      ?.split('\n')
      .map((line) => line.replace(/=yes$/, '=true'))
      .filter((line) => line !== '' && !/^(ExecStart|ExecReload|LoadCredential)=/.test(line))
      .sort() ?? []
  );
}

const UNIT = '/etc/systemd/system/homeport-connector.service';

test('the unit of the guide is that of the NixOS module', () => {
  const ofModule = readFileSync('tests/golden/generate/rendered/homeport-connector.service', 'utf8');

  expect(directivesOf(fileOf(UNIT))).toEqual(directivesOf(ofModule));
});

const realSystemd = test.skipIf(!canBootSystemd());
let container: SystemdContainer;

beforeAll(async () => {
  if (!canBootSystemd()) return;
  // Without the usual dependencies, which would bring up half a machine.
  const alone = '[Unit]\nDefaultDependencies=no\n';
  const written = [
    '/etc/soju/config',
    '/etc/systemd/system/soju.service.d/homeport.conf',
    '/etc/homeport/connector.json',
    UNIT,
  ];
  container = await bootSystemd(
    { 'network-online.target': alone },
    {
      ...Object.fromEntries(written.map((path) => [path.slice(1), fileOf(path)])),
      ...Object.fromEntries(
        ['soju', 'homeport-connector'].map((name) => [`etc/systemd/system/${name}.service.d/alone.conf`, alone]),
      ),
      'etc/homeport/secrets/oidc': 'secret',
      'etc/homeport/secrets/admin': 'secret',
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
}, 60_000);

afterAll(() => container?.[Symbol.asyncDispose]());

realSystemd('who follows the guide has a connector that reaches soju, and a doctor who says so', async () => {
  await container.run('systemd-sysusers', '--inline', 'u homeport-connector - "Homeport connector"');
  await container.run('systemctl', 'start', 'homeport-connector');

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
  expect(await container.run('stat', '-c', '%G %a', '/run/soju/admin')).toBe('homeport-connector 660');
  const asService = ['setpriv', '--reuid=homeport-connector', '--regid=homeport-connector', '--clear-groups'];
  const status = ['sojuctl', '-config', '/etc/soju/config', 'server', 'status'];
  expect((await container.attempt('env', ...asService, ...status)).status).toBe(0);
});
