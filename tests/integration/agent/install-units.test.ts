import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostReport } from '../../../schemas/report.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { agentCommand } from '../../harness/start-agent.ts';
import { bootSystemd, REPOSITORY_INSIDE, type SystemdContainer } from '../../harness/systemd-container.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Greatest exposure scores of the agent, times ten: as it is, and with every right it can have. */
const EXPOSURE_TIMES_TEN = { plain: 13, full: 19 };

async function dryRun(...words: string[]): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const [program, ...args] = agentCommand('install-units', '--dry-run', ...words);
  const { exitCode, stdout, stderr } = await execa(program, args, { reject: false });
  return { exitCode, stdout, stderr };
}

/** The files a dry run shows, by their names. */
function filesOf(output: string): Record<string, string> {
  const shown = output.matchAll(/^would write (\S+):\n((?: {2}.*\n|\n)+)/gm);
  return Object.fromEntries(
    [...shown].map(([, path = '', text = '']) => [basename(path), text.replaceAll(/^ {2}/gm, '')]),
  );
}

/** Sections and directives without what differs between systems: the program, the token, and how it is enabled. */
function comparable(unit: string): string[] {
  return unit
    .split('\n')
    .map((line) => line.replace(/=true$/, '=yes').replace(/=false$/, '=no'))
    .filter((line) => line !== '' && !/^(#|\[|ExecStart=|ExecReload=|LoadCredential=|WantedBy=)/.test(line))
    .sort();
}

test('the unit is that of the NixOS module', async () => {
  const { 'homeport-agent.service': unit = '' } = filesOf((await dryRun('--config=/nowhere/agent.json')).stdout);

  expect(comparable(unit)).toEqual(
    comparable(readFileSync('tests/golden/generate/rendered/homeport-agent.service', 'utf8')),
  );
  expect(unit).toContain(`\nExecStart=${process.cwd()}/bin/homeport-agent run --config /nowhere/agent.json\n`);
  expect(unit).toContain('\nExecReload=/bin/kill -HUP $MAINPID\n');
  expect(unit).toContain('\nLoadCredential=agent.tokenFile:/nowhere/agent.token\n');
});

for (const [what, agent, words, threshold] of [
  ['as it is', {}, [], EXPOSURE_TIMES_TEN.plain],
  [
    'with every right it can have',
    { postfix: true, knot: true, userUnits: { user: 'daemon' }, listen: { unix: '/run/homeport/agent.sock' } },
    ['--tunnel-access'],
    EXPOSURE_TIMES_TEN.full,
  ],
] as const) {
  test(`systemd finds nothing wrong with the units ${what}, and they keep their exposure score`, async () => {
    await using folder = await tempFolder();
    const configFile = join(folder.path, 'agent.json');
    const tokenFile = '$CREDENTIALS_DIRECTORY/token';
    writeFileSync(configFile, JSON.stringify({ agent: { tokenFile, ...agent } }));

    const { stdout, exitCode } = await dryRun(`--config=${configFile}`, ...words);
    expect(exitCode).toBe(0);
    const units = Object.entries(filesOf(stdout)).map(([name, text]) => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    });

    const verified = await execa('systemd-analyze', ['verify', '--man=no', ...units], { reject: false });
    expect(verified.stderr).toBe('');
    const security = await execa(
      'systemd-analyze',
      [
        'security',
        '--offline=true',
        `--threshold=${threshold}`,
        '--no-pager',
        join(folder.path, 'homeport-agent.service'),
      ],
      { reject: false },
    );
    expect(security.exitCode, security.stdout.split('\n').at(-1)).toBe(0);
    expect(units).toHaveLength(what === 'as it is' ? 1 : 4);
  });
}

test('a configuration whose token the service could not read, and one that is wrong, are refused with what to do', async () => {
  await using folder = await tempFolder();
  const configFile = join(folder.path, 'agent.json');

  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile: '/root/token' } }));
  expect(await dryRun('--config', configFile)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `homeport-agent: agent.tokenFile: the service could not read /root/token: set it to $CREDENTIALS_DIRECTORY/agent.tokenFile and put the secret into ${folder.path}/agent.token`,
  });
  writeFileSync(configFile, '{}');
  expect((await dryRun('--config', configFile)).exitCode).toBe(78);
});

test('Postfix itself is asked for the group of its queue, and the machine whether there is one', async () => {
  await using folder = await tempFolder();
  const configFile = join(folder.path, 'agent.json');
  writeFileSync(configFile, JSON.stringify({ agent: { tokenFile: '$CREDENTIALS_DIRECTORY/token', postfix: true } }));
  const [program, ...args] = agentCommand('install-units', '--dry-run', '--config', configFile);
  const withGroup = (group: string) => {
    writeFileSync(join(folder.path, 'postconf'), `#!/bin/sh\n[ "$*" = '-h setgid_group' ] && echo ${group}\n`, {
      mode: 0o755,
    });
    return execa(program, args, { reject: false, env: { PATH: `${folder.path}:${process.env['PATH']}` } });
  };

  expect((await withGroup('daemon')).stdout).toContain('\n  SupplementaryGroups=daemon\n');
  expect((await withGroup('no-such-group')).stderr).toBe(
    'homeport-agent: agent.postfix is true, but there is no group no-such-group: install its server, or set it to false',
  );
});

const realSystemd = needs('systemd containers');
let container: SystemdContainer;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  container = await bootSystemd(
    { 'network-online.target': '[Unit]\nDefaultDependencies=no\n' },
    {
      // Without the usual dependencies, which would bring up half a machine.
      ...Object.fromEntries(
        ['agent.service', 'agent.socket', 'user-units.socket'].map((unit) => [
          `etc/systemd/system/homeport-${unit}.d/test.conf`,
          '[Unit]\nDefaultDependencies=no\n',
        ]),
      ),
    },
  );
  await container.run('chmod', '-R', 'a+rX', '/etc');
}, 60_000);

afterAll(() => container?.[Symbol.asyncDispose]());

/** A command in the root directory: the one tests run in is not there. */
const attempt = (...command: string[]) => container.attempt('env', '--chdir=/', ...command);
const homeport = (...words: string[]) => attempt(`${REPOSITORY_INSIDE}/bin/homeport-agent`, ...words);
const stateOf = async (unit: string): Promise<string> =>
  (await container.attempt('systemctl', 'is-active', unit)).output;
/** The report of the service, by the token that was written for it. */
async function report(query = '') {
  const request = `exec 3<>/dev/tcp/127.0.0.1/9105; printf 'GET /v1/report?${query} HTTP/1.0\\r\\nAuthorization: Bearer ${await tokenOf()}\\r\\n\\r\\n' >&3; cat <&3`;
  const answer = await container.run('bash', '-c', request);
  return hostReport.parse(JSON.parse(answer.slice(answer.indexOf('{'))));
}

const tokenOf = (): Promise<string> => container.run('cat', '/etc/homeport/agent.token');

realSystemd(
  'a machine with systemd gets a service that answers, again without a change, and is rid of it',
  async () => {
    const dry = await homeport('install-units', '--dry-run');
    expect(dry.output).toContain('would run systemctl enable homeport-agent.service');
    expect(dry.output).not.toMatch(/[0-9a-f]{64}/);
    expect((await container.attempt('test', '-e', '/etc/homeport')).status).toBe(1);

    const first = await homeport('install-units');
    expect(first.complaint).toBe('');
    expect(first.output.split('\n')).toEqual([
      'wrote /etc/homeport/agent.json',
      'wrote /etc/homeport/agent.token, readable by root alone',
      'wrote /etc/systemd/system/homeport-agent.service',
      `ran systemd-sysusers --inline 'u homeport-agent - "Homeport agent" - -'`,
      'ran systemctl daemon-reload',
      'ran systemctl enable homeport-agent.service',
      'ran systemctl start homeport-agent.service',
      'homeport-agent answers on 127.0.0.1 port 9105',
      'its token is in /etc/homeport/agent.token',
    ]);
    const token = await tokenOf();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await container.run('stat', '-c', '%a', '/etc/homeport/agent.token')).toBe('600');
    const told = await report('unit=dbus.service');
    expect(told.failedUnits).toEqual([]);
    // The bus lets it in.
    expect(told.errors).not.toHaveProperty('failedUnits');
    expect(told.services).toMatchObject([{ unit: 'dbus.service', active: 'active' }]);

    await container.run('systemctl', 'reload', 'homeport-agent');
    expect(await stateOf('homeport-agent')).toBe('active');
    const processOf = () => container.run('systemctl', 'show', '--property=MainPID', 'homeport-agent');
    const started = await processOf();
    expect((await homeport('install-units')).output.split('\n')).toEqual([
      'kept /etc/homeport/agent.json',
      'kept /etc/homeport/agent.token',
      'nothing to do: homeport-agent.service as wanted, enabled and active',
      'homeport-agent answers on 127.0.0.1 port 9105',
      'its token is in /etc/homeport/agent.token',
    ]);
    expect(await processOf()).toBe(started);
    expect(await tokenOf()).toBe(token);

    await container.run('touch', '/etc/homeport/agent.token');
    expect((await homeport('install-units')).output).toContain('ran systemctl start homeport-agent.service');
    expect(await processOf()).not.toBe(started);

    const removed = await homeport('uninstall-units');
    expect(removed.output).toContain('removed /etc/systemd/system/homeport-agent.service');
    expect(await stateOf('homeport-agent')).toBe('inactive');
    expect(await tokenOf()).toBe(token);
    expect((await homeport('uninstall-units')).output).toMatch(/^no unit below /);
  },
);

realSystemd('a changed configuration gets the units it wants, and loses those it does not', async () => {
  const configure = async (agent: object): Promise<void> => {
    const text = JSON.stringify({ agent: { tokenFile: '$CREDENTIALS_DIRECTORY/token', ...agent } });
    await container.run('sh', '-c', `mkdir -p /etc/homeport && echo '${text}' > /etc/homeport/agent.json`);
  };
  await configure({ listen: { unix: '/run/homeport/agent.sock' }, userUnits: { user: 'daemon' } });

  for (const _ of ['first', 'again']) {
    const { complaint, output } = await homeport('install-units');
    expect(complaint).toBe('');
    expect(output).toContain('homeport-agent answers at /run/homeport/agent.sock');
  }
  expect(await stateOf('homeport-user-units.socket')).toBe('active');
  expect(await container.run('getent', 'group', 'homeport-user-units')).toMatch(/^homeport-user-units:/);

  await configure({});
  const { output } = await homeport('install-units');
  expect(output).toContain('removed /etc/systemd/system/homeport-agent.socket\n');
  expect(output).toContain('homeport-agent answers on 127.0.0.1 port 9105');
  expect(await stateOf('homeport-agent.socket')).toBe('inactive');
  await homeport('uninstall-units');
});

realSystemd('an account that the bus cannot look up is told with the remedy, which install-units is', async () => {
  await homeport('install-units');
  const dropIn = '/etc/systemd/system/homeport-agent.service.d/account.conf';
  await container.run('sh', '-c', `printf '[Service]\\nUser=\\nDynamicUser=yes\\n' > ${dropIn}`);
  await container.run('sh', '-c', "sed -i '/^homeport-agent:/d' /etc/passwd /etc/group /etc/shadow");
  await container.run('systemctl', 'daemon-reload');
  await container.run('systemctl', 'restart', 'homeport-agent');

  const errors = await waitFor('the agent answers', async () => (await report()).errors);
  expect(errors['failedUnits']).toMatch(
    /^could not reach the message bus .*cannot look up; .*as an account of \/etc\/passwd, which install-units makes$/,
  );

  // While the service runs, its dynamic account has the name of the one that is missing.
  await container.run('rm', dropIn);
  expect((await homeport('install-units')).output).toContain('ran systemd-sysusers --inline');
  expect((await report()).errors).not.toHaveProperty('failedUnits');
  await homeport('uninstall-units');
});

/** Stands for a program of systemd, and fails at one of its steps. */
const FAILING = `#!/bin/sh
name=$(basename "$0")
case "$name $1" in "$FAILS"*) echo by plan >&2; exit 1;; esac
exec "/usr/bin/$name" "$@"
`;

realSystemd(
  'after an update in which a step failed, the next run brings the service up with its new token',
  async () => {
    await homeport('install-units');
    const failing = '/etc/failing';
    for (const name of ['systemctl', 'systemd-sysusers']) {
      await container.run(
        ...(['sh', '-c', 'mkdir -p "$1" && printf %s "$3" > "$1/$2" && chmod 755 "$1/$2"', 'sh'] as const),
        ...[failing, name, FAILING],
      );
    }
    const programs = [`PATH=${failing}:/usr/sbin:/usr/bin`, `${REPOSITORY_INSIDE}/bin/homeport-agent`];

    for (const step of [
      'systemctl stop',
      'systemd-sysusers',
      'systemctl daemon-reload',
      'systemctl enable',
      'systemctl start',
    ]) {
      await container.run('sh', '-c', 'od -An -N32 -tx1 /dev/urandom | tr -d " \\n" > /etc/homeport/agent.token');
      const failed = await attempt(`FAILS=${step}`, ...programs, 'install-units');
      expect(failed.status, step).toBe(1);
      expect(failed.complaint).toMatch(new RegExp(`^homeport-agent: ${step} .*failed: [^]*by plan\n$`));

      expect(await homeport('install-units'), step).toMatchObject({ status: 0, complaint: '' });

      // Only the process with the new token answers.
      await expect(report(), step).resolves.toHaveProperty('time');
    }
    expect((await homeport('install-units')).output).toContain('\nnothing to do: ');
    await homeport('uninstall-units');
  },
  120_000,
);

realSystemd('a full disk leaves no half of a file, and a run with room makes up for it', async () => {
  const small = '/etc/small';
  const install = () => homeport('install-units', '--config', `${small}/agent.json`);
  const files = () => container.run('ls', small, '/etc/systemd/system');
  await container.run('sh', '-c', `mkdir ${small} && mount -t tmpfs -o size=16k,mode=755 tmpfs ${small}`);
  const before = await container.run('ls', '/etc/systemd/system');
  // Room for the configuration, and none for the token.
  await container.run('dd', 'if=/dev/zero', `of=${small}/fill`, 'bs=4k', 'count=3');

  expect((await install()).complaint).toMatch(/^homeport-agent: could not write \/etc\/small\/agent\.token: ENOSPC/);

  await container.run('rm', `${small}/fill`);
  expect(await files()).toBe(`/etc/small:\nagent.json\n\n/etc/systemd/system:\n${before}`);
  // Nor for the unit.
  const unitFolder = '/etc/systemd/system';
  const fill = `mount -t tmpfs -o size=4k,mode=755 tmpfs ${unitFolder} && ! dd if=/dev/zero of=${unitFolder}/fill bs=4k`;
  await container.run('sh', '-c', fill);
  expect((await install()).complaint).toMatch(/^homeport-agent: could not write .*\/homeport-agent\.service: ENOSPC/);
  expect(await container.run('ls', unitFolder)).toBe('fill');
  await container.run('umount', unitFolder);

  const { complaint, output } = await install();
  expect(complaint).toBe('');
  expect(output).toContain(`kept ${small}/agent.token\n`);
  await homeport('uninstall-units');
});

realSystemd('a unit that is gone by the time it is to be removed is no fault', async () => {
  await homeport('install-units');
  const dropIn = '/etc/systemd/system/homeport-agent.service.d/gone.conf';
  const unit = '/etc/systemd/system/homeport-agent.service';
  await container.run('sh', '-c', `printf '[Service]\\nExecStopPost=+/bin/rm ${unit}\\n' > ${dropIn}`);
  await container.run('systemctl', 'daemon-reload');

  const { status, complaint, output } = await homeport('uninstall-units');

  expect({ status, complaint }).toEqual({ status: 0, complaint: '' });
  expect(output).toContain(`removed ${unit}\n`);
  await container.run('rm', dropIn);
});

realSystemd('where the service could not get at the program or its configuration, nothing is written', async () => {
  await container.run('chmod', '700', '/root');
  await container.run('ln', '-s', REPOSITORY_INSIDE, '/root/homeport');
  const installed = '/root/homeport/bin/homeport-agent';

  const closed = await attempt(installed, 'install-units');
  const unread = await homeport('install-units', '--config', '/root/new/agent.json');

  expect(closed).toEqual({
    status: 1,
    output: '',
    complaint: `homeport-agent: install-units: the service's account may not enter /root on the way to ${installed}: move the installation, for example below /opt`,
  });
  expect(unread).toMatchObject({ status: 1, output: '' });
  expect(unread.complaint).toMatch(/may not enter \/root on the way to \/root\/new\/agent\.json: put it where /);
  expect((await homeport('uninstall-units')).output).toMatch(/^no unit below /);
  expect((await container.attempt('test', '-e', '/root/new')).status).toBe(1);
});

realSystemd("directories are made so that the service can enter them, whatever root's umask is", async () => {
  // Units give a meaning to some of its characters.
  const words = `install-units --config '/etc/100%n of $HOME/homeport/agent.json'`;

  const command = `umask 077; exec ${REPOSITORY_INSIDE}/bin/homeport-agent ${words}`;
  const { complaint, output } = await attempt('sh', '-c', command);

  expect(complaint).toBe('');
  expect(output).toContain('homeport-agent answers on 127.0.0.1 port 9105');
  expect(output).toContain('its token is in /etc/100%n of $HOME/homeport/agent.token');
  await homeport('uninstall-units');
});

realSystemd('a unit that somebody else wrote is left alone', async () => {
  await container.run(
    'sh',
    '-c',
    "printf '[Service]\\nExecStart=/bin/true\\n' > /etc/systemd/system/homeport-agent.service",
  );

  const { status, complaint } = await homeport('install-units');

  expect(status).toBe(1);
  expect(complaint).toBe(
    'homeport-agent: /etc/systemd/system/homeport-agent.service was not written by install-units: remove it, or change it by hand',
  );
  expect((await homeport('install-units', '--dry-run')).complaint).toBe(complaint);
  expect((await homeport('uninstall-units')).output).toMatch(/^no unit below /);
  await container.run('rm', '/etc/systemd/system/homeport-agent.service');
});
