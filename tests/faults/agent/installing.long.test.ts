import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const realSystemd = needs('systemd containers');
let machine: AgentMachine;

beforeAll(async () => {
  if (has('systemd containers')) machine = await bootAgentMachine();
});

afterAll(() => machine?.[Symbol.asyncDispose]());

realSystemd('an account that the bus cannot look up is told with the remedy, which install-units is', async () => {
  await machine.homeport('install-units');
  const dropIn = '/etc/systemd/system/homeport-agent.service.d/account.conf';
  await machine.run('sh', '-c', `printf '[Service]\\nUser=\\nDynamicUser=yes\\n' > ${dropIn}`);
  await machine.run('sh', '-c', "sed -i '/^homeport-agent:/d' /etc/passwd /etc/group /etc/shadow");
  await machine.run('systemctl', 'daemon-reload');
  await machine.run('systemctl', 'restart', 'homeport-agent');

  const errors = await waitFor('the agent answers', async () => (await machine.report()).errors);
  expect(errors['failedUnits']).toMatch(
    /^could not reach the message bus .*cannot look up; .*as an account of \/etc\/passwd, which install-units makes$/,
  );

  // While the service runs, its dynamic account has the name of the one that is missing.
  await machine.run('rm', dropIn);
  expect((await machine.homeport('install-units')).output).toContain('ran systemd-sysusers --inline');
  expect((await machine.report()).errors).not.toHaveProperty('failedUnits');
  await machine.homeport('uninstall-units');
});

/** Stands for a program of systemd, and fails at one of its steps. */
const FAILING = `#!/bin/sh
name=$(basename "$0")
case "$name $*" in "$FAILS"*) echo by plan >&2; exit 1;; esac
exec "/usr/bin/$name" "$@"
`;

realSystemd(
  'after an update in which a step failed, the next run brings the service up with its new token',
  async () => {
    await machine.homeport('install-units');
    const failing = '/etc/failing';
    for (const name of ['systemctl', 'systemd-sysusers']) {
      await machine.run(
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
      'systemctl start homeport-agent-check.service',
      'systemctl start homeport-agent.service',
    ]) {
      await machine.run('sh', '-c', 'od -An -N32 -tx1 /dev/urandom | tr -d " \\n" > /etc/homeport/agent.token');
      const failed = await machine.attempt(`FAILS=${step}`, ...programs, 'install-units');
      expect(failed.status, step).toBe(1);
      const check = 'it could not start here, so its units were not changed: ';
      expect(failed.complaint.replace(check, '')).toMatch(
        new RegExp(`^homeport-agent: ${step}.* failed: [^]*by plan(; homeport-agent\\.service was started again)?\n?$`),
      );

      expect(await machine.homeport('install-units'), step).toMatchObject({ status: 0, complaint: '' });

      // Only the process with the new token answers.
      await expect(machine.report(), step).resolves.toHaveProperty('time');
    }
    expect((await machine.homeport('install-units')).output).toContain('\nnothing to do: ');
    await machine.homeport('uninstall-units');
  },
);

realSystemd('a full disk leaves no half of a file, and a run with room makes up for it', async () => {
  const small = '/etc/small';
  const install = () => machine.homeport('install-units', '--config', `${small}/agent.json`);
  const files = () => machine.run('ls', small, '/etc/systemd/system');
  await machine.run('sh', '-c', `mkdir ${small} && mount -t tmpfs -o size=16k,mode=755 tmpfs ${small}`);
  const before = await machine.run('ls', '/etc/systemd/system');
  // The disk has room for the configuration but not for the token.
  await machine.run('dd', 'if=/dev/zero', `of=${small}/fill`, 'bs=4k', 'count=3');

  expect((await install()).complaint).toMatch(/^homeport-agent: could not write \/etc\/small\/agent\.token: ENOSPC/);

  await machine.run('rm', `${small}/fill`);
  expect(await files()).toBe(`/etc/small:\nagent.json\n\n/etc/systemd/system:\n${before}`);
  // The disk has no room for the unit either.
  const unitFolder = '/etc/systemd/system';
  const fill = `mount -t tmpfs -o size=4k,mode=755 tmpfs ${unitFolder} && ! dd if=/dev/zero of=${unitFolder}/fill bs=4k`;
  await machine.run('sh', '-c', fill);
  expect((await install()).complaint).toMatch(/^homeport-agent: could not write .*\/homeport-agent\.service: ENOSPC/);
  expect(await machine.run('ls', unitFolder)).toBe('fill');
  await machine.run('umount', unitFolder);

  const { complaint, output } = await install();
  expect(complaint).toBe('');
  expect(output).toContain(`kept ${small}/agent.token\n`);
  await machine.homeport('uninstall-units');
});

realSystemd('a running service goes on while its new unit cannot be written', async () => {
  await machine.homeport('install-units');
  const processOf = () => machine.run('systemctl', 'show', '--value', '--property=MainPID', 'homeport-agent');
  const started = await processOf();
  const folder = '/etc/systemd/system';
  const full = `cp -a ${folder} /run/units && mount -t tmpfs -o size=256k,mode=755 tmpfs ${folder} && cp -a /run/units/. ${folder} && rm -r /run/units && ! dd if=/dev/zero of=${folder}/fill bs=1k`;
  const readOnly = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`;
  for (const [spoil, reason] of [
    [full, 'ENOSPC'],
    [readOnly, 'EROFS'],
  ] as const) {
    await machine.run('touch', '/etc/homeport/agent.json');
    await machine.run('sh', '-c', spoil);

    const { status, complaint } = await machine.homeport('install-units');

    expect({ status, complaint }).toEqual({
      status: 1,
      complaint: expect.stringMatching(new RegExp(`^homeport-agent: could not write [^\\n]*: ${reason}[^\\n]*$`)),
    });
    expect(await processOf(), reason).toBe(started);
    expect(await machine.run('sh', '-c', `ls ${folder} | grep -c new || true`)).toBe('0');
    await machine.run('umount', folder);
  }
  expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
  expect(await processOf()).not.toBe(started);
  await machine.homeport('uninstall-units');
});

realSystemd('a unit that is gone by the time it is to be removed is not a fault', async () => {
  await machine.homeport('install-units');
  const dropIn = '/etc/systemd/system/homeport-agent.service.d/gone.conf';
  const unit = '/etc/systemd/system/homeport-agent.service';
  await machine.run('sh', '-c', `printf '[Service]\\nExecStopPost=+/bin/rm ${unit}\\n' > ${dropIn}`);
  await machine.run('systemctl', 'daemon-reload');

  const { status, complaint, output } = await machine.homeport('uninstall-units');

  expect({ status, complaint }).toEqual({ status: 0, complaint: '' });
  expect(output).toContain(`removed ${unit}\n`);
  await machine.run('rm', dropIn);
});

realSystemd('a service that had failed is not listed as failed after its removal', async () => {
  await machine.homeport('install-units');
  const config = '/etc/homeport/agent.json';
  const kept = await machine.run('cat', config);
  await machine.run('sh', '-c', `echo nonsense > ${config}`);
  await machine.attempt('systemctl', 'restart', 'homeport-agent');
  await waitFor('it has failed', async () => (await machine.stateOf('homeport-agent')) === 'failed');

  await machine.homeport('uninstall-units');

  expect(await machine.run('systemctl', '--failed', '--plain', '--no-legend')).toBe('');
  await machine.run('sh', '-c', `printf '%s' "$1" > ${config}`, 'sh', kept);
});

realSystemd('a changed configuration gets the units it wants, and loses those it does not', async () => {
  const configure = async (agent: object): Promise<void> => {
    const text = JSON.stringify({ agent: { tokenFile: '$CREDENTIALS_DIRECTORY/token', ...agent } });
    await machine.run('sh', '-c', `mkdir -p /etc/homeport && echo '${text}' > /etc/homeport/agent.json`);
  };
  await configure({ listen: { unix: '/run/homeport/agent.sock' }, userUnits: { user: 'daemon' } });

  for (const _ of ['first', 'again']) {
    const { complaint, output } = await machine.homeport('install-units');
    expect(complaint).toBe('');
    expect(output).toContain('homeport-agent answers at /run/homeport/agent.sock');
  }
  expect(await machine.stateOf('homeport-user-units.socket')).toBe('active');
  expect(await machine.run('getent', 'group', 'homeport-user-units')).toMatch(/^homeport-user-units:/);

  await configure({});
  const { output } = await machine.homeport('install-units');
  expect(output).toContain('removed /etc/systemd/system/homeport-agent.socket\n');
  expect(output).toContain('homeport-agent answers on 127.0.0.1 port 9105');
  expect(await machine.stateOf('homeport-agent.socket')).toBe('inactive');
  await machine.homeport('uninstall-units');
});

realSystemd("directories are made so that the service can enter them, whatever root's umask is", async () => {
  // Units give a meaning to some of its characters.
  const words = `install-units --config '/etc/100%n of $HOME/homeport/agent.json'`;

  const command = `umask 077; exec ${REPOSITORY_INSIDE}/bin/homeport-agent ${words}`;
  const { complaint, output } = await machine.attempt('sh', '-c', command);

  expect(complaint).toBe('');
  expect(output).toContain('homeport-agent answers on 127.0.0.1 port 9105');
  expect(output).toContain('its token is in /etc/100%n of $HOME/homeport/agent.token');
  await machine.homeport('uninstall-units');
});

/** Stands for systemctl, and before the check of the service begins it lists what every account may write to. */
const LISTING = `#!/bin/sh
case $* in *"start homeport-agent-check.service")
  find /run/systemd/system /run/homeport-agent-check.service /etc/systemd/system /etc/homeport ! -type l -perm /022 >/run/writable;;
esac
exec /usr/bin/systemctl "$@"
`;

realSystemd(
  "whatever root's umask is, no account may change the units of the check while it runs as another account",
  async () => {
    const written =
      'umask 022; mkdir -p /etc/listing && printf %s "$1" >/etc/listing/systemctl && chmod 755 /etc/listing/systemctl && rm -rf /etc/homeport';
    await machine.run('sh', '-c', written, 'sh', LISTING);

    const { complaint } = await machine.attempt(
      ...[
        'sh',
        '-c',
        `umask 000; PATH=/etc/listing:/usr/sbin:/usr/bin exec ${REPOSITORY_INSIDE}/bin/homeport-agent install-units`,
      ],
    );

    expect(complaint).toBe('');
    expect(await machine.run('cat', '/run/writable')).toBe('');
    expect(await machine.run('find', '/etc/systemd/system', '/etc/homeport', '!', '-type', 'l', '-perm', '/022')).toBe(
      '',
    );
    await machine.homeport('uninstall-units');
  },
);

for (const [what, spoil, reason] of [
  ['that every account may read', 'chmod 644', 'may be read by every account, or changed by its group'],
  ['that its group may change', 'chmod 660', 'may be read by every account, or changed by its group'],
  ['of another account', 'chown daemon', 'belongs to another account than root'],
] as const) {
  realSystemd(`a token ${what} is refused with what to do, and the service goes on with the one it has`, async () => {
    await machine.homeport('install-units');
    const token = '/etc/homeport/agent.token';
    await machine.run('sh', '-c', `${spoil} ${token}; touch /etc/homeport/agent.json`);

    const { status, complaint } = await machine.homeport('install-units');

    expect({ status, complaint }).toEqual({
      status: 1,
      complaint: `homeport-agent: ${token} holds a secret, and ${reason}, so that it may be known: remove it, and install-units makes a new one, or give it to root alone: chown root ${token}; chmod 600 ${token}`,
    });
    expect(await machine.stateOf('homeport-agent')).toBe('active');
    await machine.run('rm', token);
    expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
    expect(await machine.run('stat', '--format=%U %a', token)).toBe('root 600');
    await machine.homeport('uninstall-units');
  });
}

realSystemd('a token that root lets a group read, such as that of Prometheus, is kept', async () => {
  await machine.homeport('install-units');
  await machine.run('sh', '-c', 'chgrp daemon /etc/homeport/agent.token; chmod 640 /etc/homeport/agent.token');

  expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
  await machine.homeport('uninstall-units');
});
