import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { agentCommand } from '../../harness/start-agent.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Greatest exposure scores of the agent, times ten: as it is, and with every right it can have. */
const EXPOSURE_TIMES_TEN = { plain: 13, full: 19 };

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
  test(`systemd finds no fault in the units ${what}, and they keep their exposure score`, async () => {
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
let machine: AgentMachine;

beforeAll(async () => {
  if (has('systemd containers')) machine = await bootAgentMachine();
});

afterAll(() => machine?.[Symbol.asyncDispose]());

realSystemd(
  'a machine with systemd gets a service that answers, again without a change, and is rid of it',
  async () => {
    const dry = await machine.homeport('install-units', '--dry-run');
    expect(dry.output).toContain('would run systemctl enable homeport-agent.service');
    expect(dry.output).not.toMatch(/[0-9a-f]{64}/);
    expect((await machine.attempt('test', '-e', '/etc/homeport')).status).toBe(1);

    const first = await machine.homeport('install-units');
    expect(first.complaint).toBe('');
    expect(first.output.split('\n')).toEqual([
      'wrote /etc/homeport/agent.json',
      'wrote /etc/homeport/agent.token, readable by root alone',
      `ran systemd-sysusers --inline 'u homeport-agent - "Homeport agent" - -'`,
      "checked as the service's account: it can start",
      'wrote /etc/systemd/system/homeport-agent.service',
      'ran systemctl daemon-reload',
      'ran systemctl start homeport-agent.service',
      'ran systemctl enable homeport-agent.service',
      'homeport-agent answers on 127.0.0.1 port 9105',
      'its token is in /etc/homeport/agent.token',
    ]);
    const token = await machine.token();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await machine.run('stat', '-c', '%a', '/etc/homeport/agent.token')).toBe('600');
    const told = await machine.report('unit=dbus.service');
    expect(told.failedUnits).toEqual([]);
    // The bus lets it in.
    expect(told.errors).not.toHaveProperty('failedUnits');
    expect(told.services).toMatchObject([{ unit: 'dbus.service', active: 'active' }]);

    await machine.run('systemctl', 'reload', 'homeport-agent');
    await waitFor('the reload is over', async () => (await machine.stateOf('homeport-agent')) === 'active');
    const processOf = () => machine.run('systemctl', 'show', '--property=MainPID', 'homeport-agent');
    const started = await processOf();
    expect((await machine.homeport('install-units')).output.split('\n')).toEqual([
      'kept /etc/homeport/agent.json',
      'kept /etc/homeport/agent.token',
      'nothing to do: homeport-agent.service as wanted, enabled and active',
      'homeport-agent answers on 127.0.0.1 port 9105',
      'its token is in /etc/homeport/agent.token',
    ]);
    expect(await processOf()).toBe(started);
    expect(await machine.token()).toBe(token);

    await machine.run('touch', '/etc/homeport/agent.token');
    expect((await machine.homeport('install-units')).output).toContain('ran systemctl start homeport-agent.service');
    expect(await processOf()).not.toBe(started);

    const removed = await machine.homeport('uninstall-units');
    expect(removed.output).toContain('removed /etc/systemd/system/homeport-agent.service');
    expect(await machine.stateOf('homeport-agent')).toBe('inactive');
    expect(await machine.token()).toBe(token);
    expect((await machine.homeport('uninstall-units')).output).toMatch(/^no unit below /);
  },
);

realSystemd('where the service could not get at the program or its configuration, nothing is written', async () => {
  await machine.run('chmod', '700', '/root');
  await machine.run('ln', '-s', REPOSITORY_INSIDE, '/root/homeport');
  const installed = '/root/homeport/bin/homeport-agent';

  const closed = await machine.attempt(installed, 'install-units');
  const unread = await machine.homeport('install-units', '--config', '/root/new/agent.json');

  expect(closed).toEqual({
    status: 1,
    output: '',
    complaint: `homeport-agent: install-units: the service's account may not enter /root on the way to ${installed}: move the installation, for example below /opt`,
  });
  expect(unread).toMatchObject({ status: 1, output: '' });
  expect(unread.complaint).toMatch(/may not enter \/root on the way to \/root\/new\/agent\.json: put it where /);
  expect((await machine.homeport('uninstall-units')).output).toMatch(/^no unit below /);
  expect((await machine.attempt('test', '-e', '/root/new')).status).toBe(1);
});

realSystemd('a unit that somebody else wrote is left alone', async () => {
  await machine.run(
    'sh',
    '-c',
    "printf '[Service]\\nExecStart=/bin/true\\n' > /etc/systemd/system/homeport-agent.service",
  );

  const { status, complaint } = await machine.homeport('install-units');

  expect(status).toBe(1);
  expect(complaint).toBe(
    'homeport-agent: /etc/systemd/system/homeport-agent.service was not written by install-units: remove it, or change it by hand',
  );
  expect((await machine.homeport('install-units', '--dry-run')).complaint).toBe(complaint);
  expect((await machine.homeport('uninstall-units')).output).toMatch(/^no unit below /);
  await machine.run('rm', '/etc/systemd/system/homeport-agent.service');
});

realSystemd('a second configuration is refused with what to do, and the first one goes on', async () => {
  await machine.homeport('install-units');
  const before = await machine.run('systemctl', 'show', '--property=MainPID', 'homeport-agent');

  const second = await machine.homeport('install-units', '--config', '/etc/second/agent.json');

  expect(second).toEqual({
    status: 1,
    output: '',
    complaint:
      'homeport-agent: homeport-agent.service runs with --config /etc/homeport/agent.json on this machine, and there can be one homeport-agent only: run a second one in a container or a virtual machine, or run uninstall-units first',
  });
  expect((await machine.attempt('test', '-e', '/etc/second')).status).toBe(1);
  expect(await machine.run('systemctl', 'show', '--property=MainPID', 'homeport-agent')).toBe(before);
  await machine.homeport('uninstall-units');
});

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
