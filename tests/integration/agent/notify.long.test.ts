import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type AgentMachine, bootAgentMachine } from '../../harness/agent-machine.ts';
import { has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';

const realSystemd = needs('systemd containers');
const unit = 'homeport-agent';
const configFile = '/etc/homeport/agent.json';

let machine: AgentMachine;
let config: string;

beforeAll(async () => {
  if (!has('systemd containers')) return;
  machine = await bootAgentMachine();
  await machine.homeport('install-units');
  config = await machine.run('cat', configFile);
});

afterAll(() => machine?.[Symbol.asyncDispose]());

const property = (name: string) => machine.run('systemctl', 'show', '--value', `--property=${name}`, unit);
const isState = (state: string) =>
  waitFor(`${unit} is ${state}`, async () => (await property('ActiveState')) === state);
const shell = (script: string, ...words: string[]) => machine.run('sh', '-c', script, 'sh', configFile, ...words);

/** The agent reads a configuration that comes only when `release` is called. */
const withholdConfig = () => shell('rm -f "$1" && mkfifo "$1" && chmod 644 "$1"');
const release = (text: string) => shell('printf %s "$2" >"$1"', text);
const giveConfig = (text: string) => shell('rm -f "$1" && printf %s "$2" >"$1" && chmod 644 "$1"', text);

realSystemd('the unit is active once the agent listens, and not before', async () => {
  await machine.run('systemctl', 'stop', unit);
  await withholdConfig();
  await machine.run('systemctl', 'start', '--no-block', unit);
  await waitFor('the agent runs', async () => (await property('MainPID')) !== '0');

  expect(await property('ActiveState')).toBe('activating');

  await release(config);
  await isState('active');
  // The report is there without a wait.
  expect(await machine.report()).toHaveProperty('time');
});

realSystemd('a reload comes to its end, also one that is refused', async () => {
  for (const text of [config, '{ "agent": {} }']) {
    await giveConfig(text);
    // Returns when the signal is sent; the unit counts as reloading from the agent's word that it has begun to its word that it is over.
    await machine.run('systemctl', 'reload', unit);

    const state = async () => [await property('ActiveState'), await property('SubState')].join(' ');
    await waitFor('the reload is over', async () => (await state()) === 'active running');
    expect(await property('NRestarts')).toBe('0');
  }
  await giveConfig(config);
});

realSystemd('a start that fails is a failed start, and systemd and install-units say why', async () => {
  await machine.run('systemctl', 'stop', unit);
  // Another program has the port.
  await machine.run('mkdir', '-p', '/run/systemd/system');
  await shell(
    `printf '[Unit]\\nDefaultDependencies=no\\n[Socket]\\nListenStream=127.0.0.1:9105\\n[Install]\\n' >/run/systemd/system/other.socket
     printf '[Unit]\\nDefaultDependencies=no\\n[Service]\\nExecStart=/bin/sleep 1000\\n' >/run/systemd/system/other.service
     systemctl daemon-reload && systemctl start other.socket`,
  );

  const started = await machine.attempt('systemctl', 'start', unit);

  expect(started.status).toBe(1);
  await waitFor('systemd shows the reason', async () =>
    (await property('StatusText')).startsWith('127.0.0.1 port 9105 is in use by another program'),
  );
  const installed = await machine.homeport('install-units');
  expect(installed.status).toBe(1);
  expect(installed.complaint).toContain(
    `homeport-agent: it could not start here, so its units were not changed: agent.listen: 127.0.0.1 port 9105 is in use by another program: stop it or choose another agent.listen.port`,
  );

  // However often a person tries it meanwhile, systemd goes on trying.
  for (let left = 8; left > 0; left -= 1) await machine.attempt('systemctl', 'restart', unit);
  await machine.run('systemctl', 'stop', 'other.socket');
  await isState('active');
  expect((await machine.homeport('install-units')).complaint).toBe('');
  expect(await property('StatusText')).toBe('');
});

realSystemd(
  'the agent waits for an address that comes after the network, and is not started again and again',
  async () => {
    const address = '10.77.0.1';
    const { agent } = JSON.parse(config);
    await machine.run('systemctl', 'stop', unit);
    await giveConfig(JSON.stringify({ agent: { ...agent, listen: { address } } }));
    await machine.run('systemctl', 'start', '--no-block', unit);
    await waitFor('systemd shows what it waits for', async () =>
      (await property('StatusText')).startsWith(`${address} port 9105 is not an address of this machine`),
    );
    const pid = await property('MainPID');
    expect(await property('ActiveState')).toBe('activating');

    await machine.run('ip', 'address', 'add', `${address}/32`, 'dev', 'lo');

    await isState('active');
    expect(await property('MainPID')).toBe(pid);
    expect(await property('StatusText')).toBe('');
    await machine.run('ip', 'address', 'delete', `${address}/32`, 'dev', 'lo');
  },
);
