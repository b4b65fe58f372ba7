import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Processor } from '../../../scripts/release/addons.ts';
import { buildPackages } from '../../../scripts/release/debian/build-packages.ts';
import { nodeParts } from '../../../scripts/release/debian/node-parts.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { exampleConfig } from '../../../src/connector/install/first-config.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { type HomeportMachine, homeportOn, prepareSoju } from '../../harness/debian-13/homeport.ts';
import { bootDebian, PACKAGES_INSIDE } from '../../harness/debian-container/boot.ts';
import type { Release } from '../../harness/debian-container/root.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Deadline of the preparation on a busy machine, including a root directory to be made. */
const PREPARATION_DEADLINE_MS = 1_800_000;

const EPOCH = 1_700_000_000;
const DAY_SECONDS = 86_400;
const VERSIONS = { old: '0.0.9', new: '0.1.0' };
/** Folder with packages of a later state that has the newer version, too, and the time of their files. */
const LATER = { folder: 'later', epoch: EPOCH + 2 * DAY_SECONDS };

const PROGRAMS = ['homeport-agent', 'homeport-connector', 'termprog'];

/** Files of the owner, which outlive a removal but not a purge. */
const OWNERS_FILES = [
  '/etc/homeport/agent.json',
  '/etc/homeport/agent.token',
  '/etc/homeport/connector.json',
  '/etc/homeport/secrets/admin',
  '/var/lib/private/homeport-connector/connector.db',
  '/etc/X11/app-defaults/Term',
];

const capabilities: Capability[] = ['systemd containers', 'Debian containers'];
const machineTest = needs(...capabilities);

let folder: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  folder = await tempFolder();
  const processor = process.arch as Processor;
  await using parts = await nodeParts(processor);
  for (const [at, version] of Object.values(VERSIONS).entries()) {
    const target = join(folder.path, version);
    mkdirSync(target);
    const epoch = EPOCH + at * DAY_SECONDS;
    await buildPackages({ folder: target, processor, parts, epoch, version, compression: 'none' });
  }
  const target = join(folder.path, LATER.folder);
  await buildPackages({ ...LATER, folder: target, processor, parts, version: VERSIONS.new, compression: 'none' });
}, PREPARATION_DEADLINE_MS);
afterAll(() => folder?.[Symbol.asyncDispose]());

describe.each([12, 13] as const)('on Debian %i', (release: Release) => {
  let machine: SystemdContainer;
  let homeport: HomeportMachine;

  beforeAll(async () => {
    if (!capabilities.every(has)) return;
    machine = await bootDebian(release, folder.path);
    homeport = homeportOn(machine);
  }, PREPARATION_DEADLINE_MS);
  afterAll(() => machine?.[Symbol.asyncDispose]());

  const apt = (...words: string[]): Promise<string> =>
    machine.run('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '--yes', '--no-install-recommends', ...words);
  const filesOf = async (version: string): Promise<string[]> =>
    (await homeport.shell(`ls ${PACKAGES_INSIDE}/${version}/*.deb`)).split('\n');
  const installVersion = async (version: string): Promise<string> =>
    apt('--allow-downgrades', 'install', ...(await filesOf(version)));
  const stateOf = async (unit: string) => (await machine.attempt('systemctl', 'is-active', unit)).output;
  const pidOf = (unit: string) => machine.run('systemctl', 'show', '--value', '--property=MainPID', unit);
  const isThere = async (path: string) => (await machine.attempt('test', '-e', path)).status === 0;

  machineTest('the packages install, say what comes next, and start no service', async () => {
    const said = await installVersion(VERSIONS.old);

    expect(said).toContain('homeport-agent: the service is off; ');
    expect(said).toContain('homeport-connector: the service is off; ');
    for (const program of PROGRAMS) {
      expect(await machine.run('man', '--where', program)).toBe(`/usr/share/man/man1/${program}.1.gz`);
    }
    expect(await stateOf('homeport-agent')).toBe('inactive');
    expect((await machine.attempt('systemctl', 'list-unit-files', '--no-legend', 'homeport*')).output).toBe('');
    expect(await machine.run('getent', 'passwd', 'homeport-agent')).toMatch(/^homeport-agent:/);
    expect(await machine.run('getent', 'group', 'homeport-soju')).toMatch(/^homeport-soju:/);
    expect((await machine.attempt('sh', '-c', 'command -v node')).status).not.toBe(0);
  });

  machineTest('one command makes the agent a service, which answers hubs and Prometheus', async () => {
    expect(await homeport.installUnits('homeport-agent')).toMatchObject({ status: 0, complaint: '' });

    expect(await homeport.metrics()).toContain('\nmonitor_reboot_required ');
    const report = await homeport.report();
    expect(report).toMatchObject({ os: { id: 'debian', versionId: String(release) }, failedUnits: [] });
    expect(report.packages).toMatchObject({ manager: 'dpkg' });
  });

  machineTest(
    'who follows the guide has a connector that reaches soju, a doctor who says so, and a guest',
    async () => {
      const first = await machine.attempt('homeport-connector', 'install-units');
      expect(first).toMatchObject({ status: 78, complaint: '' });
      expect(first.output).toContain('now fill in /etc/homeport/connector.json:');
      await prepareSoju(homeport);
      await homeport.write('/etc/homeport/connector.json', JSON.stringify(exampleConfig));
      await homeport.write('/etc/homeport/secrets/oidc', 'not-a-secret-in-this-test\n', '600');

      const installed = await homeport.installUnits('homeport-connector');

      expect(installed).toMatchObject({ status: 0, complaint: '' });
      expect(installed.output).not.toContain('admin socket');
      expect(await homeport.connectorStatus()).toBe('200');
      const asOwner = (...words: string[]) =>
        machine.attempt('env', 'CREDENTIALS_DIRECTORY=/etc/homeport/secrets', 'homeport-connector', ...words);
      const findings = await waitFor('the service has made its database', async () => {
        const { output } = await asOwner('doctor');
        return output.includes('with the schema of this version') ? output : undefined;
      });
      expect(findings).toMatch(/^ok +soju admin socket/m);
      expect(findings).toMatch(/^ok +soju listener/m);
      expect(await asOwner('invite', 'grace', '--channels', 'homeport')).toMatchObject({ status: 0, complaint: '' });
    },
  );

  machineTest('the terminal opens a window, runs a program in it, and finds its class defaults', async () => {
    await machine.run('systemd-run', '--unit=xvfb', 'Xvfb', ':7', '-screen', '0', '800x600x24');
    const onDisplay = (...words: string[]) => machine.attempt('env', 'DISPLAY=:7', ...words);

    const tested = await waitFor('the X server answers the self-test', async () => {
      const { output } = await onDisplay('termprog', '-self-test');
      return /class defaults +.*\/etc\/X11\/app-defaults\/Term/.test(output) && output;
    });
    expect(tested).not.toMatch(/^WRONG/m);
    const ran = await onDisplay('x-terminal-emulator', '-e', 'sh', '-c', 'tty >/run/shown');

    expect(ran).toMatchObject({ status: 0 });
    expect(await machine.run('cat', '/run/shown')).toMatch(/^\/dev\/pts\/\d+$/);
  });

  machineTest('an update keeps what the owner changed, and brings services that are enabled up to date', async () => {
    const changed = {
      agent: { tokenFile: '$CREDENTIALS_DIRECTORY/agent.tokenFile', exclude: { mountPoints: '^/srv' } },
    };
    await homeport.write('/etc/homeport/agent.json', JSON.stringify(changed));
    await homeport.shell('echo "! mine" >>/etc/X11/app-defaults/Term');
    const kept = await homeport.shell('cd /etc/homeport && cat agent.json agent.token connector.json secrets/*');
    const before = [await pidOf('homeport-agent'), await pidOf('homeport-connector')];

    const said = await installVersion(VERSIONS.new);

    expect(said).not.toContain('was not brought up to date');
    expect(await homeport.shell('cd /etc/homeport && cat agent.json agent.token connector.json secrets/*')).toBe(kept);
    expect(await machine.run('tail', '-n1', '/etc/X11/app-defaults/Term')).toBe('! mine');
    expect(await machine.run('sh', '-c', 'find /etc -name "*.dpkg-*"')).toBe('');
    for (const [at, unit] of ['homeport-agent', 'homeport-connector'].entries()) {
      expect(await stateOf(unit)).toBe('active');
      expect(await pidOf(unit), unit).not.toBe(before[at]);
    }
    expect(await homeport.metrics()).toContain('\nmonitor_reboot_required ');
  });

  machineTest('a later state with the same version is installed by the words of the guide', async () => {
    const guide = readFileSync('docs/guides/upgrading.md', 'utf8');
    const [, words = ''] = /`sudo apt ([^`]+) \.\/FILE\.deb`/.exec(guide) ?? [];
    const before = await pidOf('homeport-connector');

    await apt(...words.split(' '), ...(await filesOf(LATER.folder)));

    const time = await machine.run('stat', '--format=%Y', '/usr/lib/homeport/dist/connector.mjs');
    expect(time).toBe(String(LATER.epoch));
    expect(await stateOf('homeport-connector')).toBe('active');
    expect(await pidOf('homeport-connector')).not.toBe(before);
  });

  machineTest(
    'an update leaves a service off that its owner has turned off, and one going that could not start anew',
    async () => {
      await machine.run('systemctl', 'disable', '--now', 'homeport-connector');
      const before = await pidOf('homeport-agent');
      await homeport.write('/etc/homeport/agent.json', '{ "agent": { "listen": { "port": "no number" } } }');

      const said = await installVersion(VERSIONS.old);

      expect(said).not.toContain('homeport-connector answers');
      expect(await stateOf('homeport-connector')).toBe('inactive');
      expect(await pidOf('homeport-agent')).toBe(before);
      expect(await machine.run('dpkg', '--status', 'homeport-agent')).toContain('\nStatus: install ok installed\n');
    },
  );

  machineTest(
    'an update checks a service of another configuration, or one that is not enabled, before it ends the old process',
    async () => {
      const [agent, elsewhere] = ['/etc/homeport/agent.json', '/etc/homeport/elsewhere/agent.json'];
      const good = '{"agent":{"tokenFile":"$CREDENTIALS_DIRECTORY/agent.tokenFile"}}';
      const bad = '{ "agent": { "listen": { "port": "no number" } } }';
      await homeport.write(agent, good);
      expect(await homeport.installUnits('homeport-agent')).toMatchObject({ status: 0 });
      await machine.run('systemctl', 'disable', 'homeport-agent');
      const before = await pidOf('homeport-agent');
      await homeport.write(agent, bad);

      expect(await installVersion(VERSIONS.new)).toContain('the service was not brought up to date');
      expect(await pidOf('homeport-agent')).toBe(before);
      await homeport.write(agent, good);
      await installVersion(VERSIONS.old);
      expect([await stateOf('homeport-agent'), await pidOf('homeport-agent')]).not.toEqual(['active', before]);
      expect((await machine.attempt('systemctl', 'is-enabled', 'homeport-agent')).output).toBe('disabled');

      await machine.run('homeport-agent', 'uninstall-units');
      await homeport.write(elsewhere, good);
      expect(await homeport.installUnits('homeport-agent', '--config', elsewhere)).toMatchObject({ status: 0 });
      const second = await pidOf('homeport-agent');
      await homeport.write(elsewhere, bad);

      const said = await installVersion(VERSIONS.new);
      expect(said).toContain('the service was not brought up to date');
      expect(await pidOf('homeport-agent')).toBe(second);
      await homeport.write(elsewhere, good);
      await installVersion(VERSIONS.old);
      expect(await stateOf('homeport-agent')).toBe('active');
      expect(await pidOf('homeport-agent')).not.toBe(second);
      await machine.run('homeport-agent', 'uninstall-units');
      await machine.run('rm', '-r', '/etc/homeport/elsewhere');
      await homeport.write(agent, good);
      expect(await homeport.installUnits('homeport-agent')).toMatchObject({ status: 0 });
    },
  );

  machineTest('a service of another installation outlives update and removal of the package', async () => {
    await homeport.shell(
      'cp -a /usr/lib/homeport /opt/another && echo "{\\"agent\\":{\\"tokenFile\\":\\"\\$CREDENTIALS_DIRECTORY/agent.tokenFile\\"}}" >/etc/homeport/agent.json',
    );
    const install = await machine.attempt('/opt/another/bin/homeport-agent', 'install-units');
    expect(install).toMatchObject({ status: 0, complaint: '' });
    const before = await pidOf('homeport-agent');

    await installVersion(VERSIONS.new);
    expect(await pidOf('homeport-agent')).toBe(before);
    const said = await apt('remove', 'homeport-agent');

    expect(said).toContain(
      'homeport-agent: homeport-agent.service runs another installation, and goes on: /opt/another/',
    );
    expect(await pidOf('homeport-agent')).toBe(before);
    await machine.run('/opt/another/bin/homeport-agent', 'uninstall-units');
    await machine.run('rm', '-r', '/opt/another');
  });

  machineTest(
    'a package that is installed again says what comes next, and goes also when Node.js does not run',
    async () => {
      expect(await installVersion(VERSIONS.new)).toContain('homeport-agent: the service is off; ');
      expect(await homeport.installUnits('homeport-agent')).toMatchObject({ status: 0, complaint: '' });
      const node = await machine.run('readlink', '-f', '/usr/lib/homeport/node_modules/.bin/node');
      await machine.run('chmod', '-x', node);
      await machine.attempt('systemctl', 'restart', 'homeport-agent');
      await waitFor('the service has failed', async () => (await stateOf('homeport-agent')) === 'failed');

      await apt('remove', 'homeport-agent');

      expect(await machine.run('systemctl', '--failed', '--plain', '--no-legend')).toBe('');

      expect(await stateOf('homeport-agent')).toBe('inactive');
      expect(await isThere('/etc/systemd/system/homeport-agent.service')).toBe(false);
      await machine.run('chmod', '+x', node);
      await installVersion(VERSIONS.new);
      expect(await homeport.installUnits('homeport-agent')).toMatchObject({ status: 0, complaint: '' });
    },
  );

  machineTest('removed packages leave no service, and all that is the owner’s', async () => {
    await apt('remove', ...PROGRAMS);

    expect(await stateOf('homeport-agent')).toBe('inactive');
    expect(await homeport.shell('ls /etc/systemd/system | grep -c "^homeport" || true')).toBe('0');
    for (const path of OWNERS_FILES) expect(await isThere(path), path).toBe(true);
    expect(await isThere('/usr/bin/x-terminal-emulator')).toBe(false);
    expect(await machine.run('systemctl', '--failed', '--plain', '--no-legend')).toBe('');
  });

  machineTest('purged packages leave no file', async () => {
    await apt('purge', ...PROGRAMS, 'homeport-node');

    for (const path of OWNERS_FILES) expect(await isThere(path), path).toBe(false);
    const names = ['homeport', 'termprog'].flatMap((name) => ['-o', '-name', `*${name}*`]).slice(1);
    const left = await machine.run('find', '/etc', '/opt', '/run', '/usr', '/var', '-xdev', '(', ...names, ')');
    // The drop-in for soju is its owner's.
    expect(left.split('\n')).toEqual(['/etc/systemd/system/soju.service.d/homeport.conf']);
  });
});
