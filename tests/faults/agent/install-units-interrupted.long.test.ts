import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs, skipWithout } from '../../harness/needs.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const PROGRAM = `${REPOSITORY_INSIDE}/bin/homeport-agent`;
const UNIT = 'homeport-agent.service';
const FAKES = '/etc/fakes';
/** Purge of the Debian package. */
const POSTRM = `${REPOSITORY_INSIDE}/scripts/release/debian/maintainer/homeport-agent.postrm`;

const realSystemd = needs('systemd containers');
let machine: AgentMachine;

beforeAll(async () => {
  if (has('systemd containers')) machine = await bootAgentMachine();
});
afterAll(() => machine?.[Symbol.asyncDispose]());

const shell = (script: string) => machine.run('sh', '-c', script);

const becomesActive = () =>
  waitFor('the service runs', async () => (await machine.stateOf('homeport-agent')) === 'active');
const unfinished = () => shell('find /etc -name ".*.unfinished" -o -name "*.new"');

/** A service that runs and whose token has changed since, so that install-units starts it anew. */
beforeEach(async (context) => {
  skipWithout('systemd containers')(context);
  expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
  await machine.run('touch', '/etc/homeport/agent.token');
});

realSystemd('of two commands at once the second waits for the first, and finds the service as wanted', async () => {
  const both = await Promise.all([machine.homeport('install-units'), machine.homeport('install-units')]);

  expect(both).toMatchObject([
    { status: 0, complaint: '' },
    { status: 0, complaint: '' },
  ]);
  const outputs = both.map(({ output }) => output);
  expect(outputs.filter((output) => output.includes(`ran systemctl start ${UNIT}`))).toHaveLength(1);
  expect(outputs.filter((output) => output.includes('nothing to do: '))).toHaveLength(1);
});

realSystemd('a service is not removed while install-units starts it: the removal comes after', async () => {
  const installing = machine.homeport('install-units');
  await waitFor(
    'the check begins',
    async () => (await machine.attempt('test', '-e', `/run/${UNIT.replace('.', '-check.')}`)).status === 0,
  );
  const removed = await machine.homeport('uninstall-units');

  expect(await installing).toMatchObject({ status: 0, complaint: '' });
  expect(removed.output).toMatch(
    /^waiting for another command that changes the units of homeport-agent \(process \d+\)$/m,
  );
  expect(removed.output).toContain(`removed /etc/systemd/system/${UNIT}`);
  expect(await machine.stateOf('homeport-agent')).toBe('inactive');
});

for (const signal of ['INT', 'TERM', 'HUP']) {
  realSystemd(`a SIG${signal} that comes while the service is stopped waits until it is started again`, async () => {
    const before = await machine.run('grep', 'differ from', `/etc/systemd/system/${UNIT}`);

    const { status, output } = await installWhere(
      `"stop ${UNIT}"`,
      `/usr/bin/systemctl "$@"; kill -s ${signal} -- -$PPID; exit 0`,
    );

    expect(status).not.toBe(0);
    expect(output).toContain(`interrupted, and ${UNIT} was started again: run install-units again`);
    await becomesActive();
    expect(await machine.run('grep', 'differ from', `/etc/systemd/system/${UNIT}`)).not.toBe(before);
  });
}

realSystemd(
  'a signal during the check ends the command, which leaves the service and no unit of the check',
  async () => {
    const before = await machine.run('systemctl', 'show', '--property=MainPID', UNIT);

    const { status, complaint } = await installWhere(
      '"start homeport-agent-check.service"',
      'kill -s HUP -- -$PPID; sleep 60',
    );

    expect(status).not.toBe(0);
    expect(complaint).toBe('');
    expect(await machine.run('systemctl', 'show', '--property=MainPID', UNIT)).toBe(before);
    expect(await shell('ls -d /run/*-check* /run/systemd/system/*-check* 2>/dev/null || true')).toBe('');
  },
);

realSystemd('a service whose new units cannot be put into their places is started again', async () => {
  const { status, complaint } = await installWhere(
    `daemon-reload`,
    `[ ! -e /run/stopped ] || { rm /run/stopped; echo no room >&2; exit 1; };; "stop ${UNIT}") touch /run/stopped`,
  );

  expect(status).toBe(1);
  expect(complaint).toBe(`homeport-agent: systemctl daemon-reload failed: no room; ${UNIT} was started again`);
  await becomesActive();
});

realSystemd('a command that is killed leaves one file beside a unit, which the next one takes away', async () => {
  for (const step of [`"stop ${UNIT}"`, '"start homeport-agent-check.service"']) {
    await machine.run('touch', '/etc/homeport/agent.token');
    expect((await installWhere(step, 'kill -KILL $PPID; exit 1')).status).not.toBe(0);
    expect((await unfinished()).split('\n').length).toBeLessThanOrEqual(1);

    expect(await machine.homeport('install-units'), step).toMatchObject({ status: 0, complaint: '' });
    expect(await machine.stateOf('homeport-agent'), step).toBe('active');
    expect(await unfinished(), step).toBe('');
  }
});

realSystemd(
  'a token that a killed command has left beside its place goes with the next command, or with a purge',
  async () => {
    const left = '/etc/homeport/.agent.token.unfinished';
    await shell(`install -m 600 /dev/null ${left}`);
    await machine.homeport('install-units');
    expect(await unfinished()).toBe('');

    await machine.homeport('uninstall-units');
    await shell(`install -m 600 /dev/null ${left} && rm /etc/homeport/agent.json`);
    await machine.run(POSTRM, 'purge');
    expect((await machine.attempt('test', '-e', '/etc/homeport')).status).toBe(1);
  },
);

realSystemd('a full /run is named in one line before anything is changed', async () => {
  const before = await machine.run('systemctl', 'show', '--property=MainPID', UNIT);
  await shell(
    'mount -t tmpfs -o size=4k tmpfs /run/systemd/system && ! head -c 100000 /dev/zero >/run/systemd/system/full',
  );
  try {
    const { status, complaint } = await machine.homeport('install-units');

    expect(status).toBe(1);
    expect(complaint).toMatch(
      /^homeport-agent: could not write the check of the start, so its units were not changed: ENOSPC[^\n]*$/,
    );
    expect(await machine.run('systemctl', 'show', '--property=MainPID', UNIT)).toBe(before);
  } finally {
    await machine.run('umount', '/run/systemd/system');
  }
});

/** Runs install-units beside a `systemctl` that does something more for the call whose arguments match a pattern. */
async function installWhere(pattern: string, instead: string) {
  const script = `case "$*" in ${pattern}) ${instead};; esac; exec /usr/bin/systemctl "$@"`;
  await machine.run('mkdir', '-p', FAKES);
  await machine.run('sh', '-c', 'printf "#!/bin/sh\\n%s\\n" "$1" >"$2"', 'sh', script, `${FAKES}/systemctl`);
  await machine.run('chmod', '755', `${FAKES}/systemctl`);
  try {
    // It leads a group of processes, as a command of a terminal does.
    return await machine.attempt(
      'setsid',
      '--wait',
      'env',
      `PATH=${FAKES}:/usr/sbin:/usr/bin`,
      PROGRAM,
      'install-units',
    );
  } finally {
    await machine.run('rm', '-r', FAKES);
  }
}
