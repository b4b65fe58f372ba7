import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import { REPOSITORY_INSIDE } from '../../harness/systemd-container.ts';

const UNIT = 'homeport-agent.service';
const DROP_IN = `/etc/systemd/system/${UNIT}.d/owner.conf`;
const REFUSAL = 'homeport-agent: it could not start here, so its units were not changed: ';

const realSystemd = needs('systemd containers');
let machine: AgentMachine;

beforeAll(async () => {
  if (has('systemd containers')) machine = await bootAgentMachine();
});

afterEach(async () => {
  if (!has('systemd containers')) return;
  await machine.homeport('uninstall-units');
  await machine.run('rm', '-rf', DROP_IN, '/etc/homeport', '/opt/copy');
});

afterAll(() => machine?.[Symbol.asyncDispose]());

const put = (path: string, text: string) =>
  machine.run('sh', '-c', 'mkdir -p "$(dirname "$1")" && printf "%s\\n" "$2" >"$1"', 'sh', path, text);

const config = (agent: object = {}): string =>
  JSON.stringify({ agent: { tokenFile: '$CREDENTIALS_DIRECTORY/token', ...agent } });

realSystemd(
  'a service whose secret is of no use is not enabled, and its owner gets one line that says why',
  async () => {
    await put('/etc/homeport/agent.json', config());
    await put('/etc/homeport/agent.token', 'two words');
    await machine.run('chmod', '600', '/etc/homeport/agent.token');

    const { status, complaint } = await machine.homeport('install-units');

    expect(status).toBe(1);
    expect(complaint).toBe(
      `${REFUSAL}agent.tokenFile: $CREDENTIALS_DIRECTORY/token must hold one line of letters, digits and -._~+/ only: openssl rand -hex 32 makes one`,
    );
    await expectNothing();
  },
);

realSystemd('a service whose port another program has is not enabled before the port is free', async () => {
  const free = await takePort(9105);

  const refused = await machine.homeport('install-units');

  expect(refused).toMatchObject({
    status: 1,
    complaint: `${REFUSAL}agent.listen: 127.0.0.1 port 9105 is in use by another program: stop it or choose another agent.listen.port`,
  });
  await expectNothing();
  await free();
  expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
});

realSystemd('a service that runs goes on where the new configuration could not start', async () => {
  expect((await machine.homeport('install-units')).status).toBe(0);
  const processOf = () => machine.run('systemctl', 'show', '--property=MainPID,ActiveState,UnitFileState', UNIT);
  const before = await processOf();
  const free = await takePort(9106);
  await put('/etc/homeport/agent.json', config({ listen: { port: 9106 } }));

  const refused = await machine.homeport('install-units');

  expect(refused.complaint).toMatch(
    /^homeport-agent: it could not start here, .*port 9106 is in use by another program/,
  );
  expect(before).toContain('ActiveState=active\nUnitFileState=enabled');
  expect(await processOf()).toBe(before);
  await free();
  expect(await machine.homeport('install-units')).toMatchObject({ status: 0, complaint: '' });
  expect(await processOf()).not.toBe(before);
});

realSystemd('a Node.js that is too old or not there is said in one line', async () => {
  const { status, complaint } = await installCopy();

  expect({ status, complaint }).toEqual({
    status: 78,
    complaint: expect.stringMatching(
      /^homeport-agent: it could not start here, .*needs Node\.js 22\.19 or newer,? .*$/,
    ),
  });
  await expectNothing();
});

realSystemd('a package that is missing is said in one line, without the stack of its loader', async () => {
  const { status, complaint } = await installCopy('node_modules/.bin/node');

  expect(status).toBe(1);
  expect(complaint).toMatch(
    /^homeport-agent: it could not start here, so its units were not changed: koffi: the package koffi, .*can’t be loaded for linux on \w+ \(Cannot find module 'koffi'\): install Homeport again, with its packages$/,
  );
  await expectNothing();
});

realSystemd("the check has the rights of the unit with its owner's changes", async () => {
  await put('/etc/homeport/agent.json', config());
  await put(DROP_IN, '[Service]\nInaccessiblePaths=/etc/homeport/agent.json');

  const { complaint } = await machine.homeport('install-units');

  expect(complaint).toMatch(/^homeport-agent: it could not start here, so its units were not changed: .*agent\.json.*/);
  expect(complaint).not.toContain('\n');
  await expectNothing();
});

realSystemd('a service that can start and does not is stopped, and not enabled', async () => {
  await put(DROP_IN, '[Service]\nExecStartPost=/bin/false');

  const { status, complaint } = await machine.homeport('install-units');

  expect({ status, complaint }).toEqual({
    status: 1,
    complaint: `homeport-agent: ${UNIT} did not start (stopped, and not enabled): journalctl --unit ${UNIT} says why`,
  });
  expect((await machine.attempt('systemctl', 'is-enabled', UNIT)).status).not.toBe(0);
  expect(await machine.stateOf(UNIT)).not.toBe('activating');
});

/** Expects that the machine has no trace of the service or of the check. */
async function expectNothing(): Promise<void> {
  expect((await machine.attempt('test', '-e', `/etc/systemd/system/${UNIT}`)).status).toBe(1);
  expect((await machine.attempt('systemctl', 'is-enabled', UNIT)).status).not.toBe(0);
  expect(await machine.run('systemctl', '--failed', '--plain', '--no-legend')).toBe('');
  expect(await machine.run('ls', '/run/systemd/system')).toBe('');
}

/** Copies the program without its packages; it is installed by the Node of the checkout. */
async function installCopy(...links: string[]) {
  await machine.run('mkdir', '-p', '/opt/copy/node_modules/.bin');
  await machine.run('cp', '-r', `${REPOSITORY_INSIDE}/bin`, `${REPOSITORY_INSIDE}/dist`, '/opt/copy');
  for (const link of links) await machine.run('ln', '-s', `${REPOSITORY_INSIDE}/${link}`, `/opt/copy/${link}`);
  return machine.attempt(`${REPOSITORY_INSIDE}/node_modules/.bin/node`, '/opt/copy/dist/agent.cjs', 'install-units');
}

/** Listens on the agent's port until the result is called. */
async function takePort(port: number): Promise<() => Promise<void>> {
  const listener = `import socket,time; s=socket.create_server(('127.0.0.1',${port})); time.sleep(9999)`;
  await machine.run('sh', '-c', `python3 -c "${listener}" >/dev/null 2>&1 & echo $! >/run/listener`);
  await waitFor('the port is taken', async () => (await machine.run('ss', '-Hltn', `sport = :${port}`)) !== '');
  return async () => void (await machine.run('sh', '-c', 'kill "$(cat /run/listener)"'));
}
