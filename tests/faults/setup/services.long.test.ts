import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { bootSystemd } from '../../harness/systemd-container.ts';
import { prepareTrial, SETUP_PID, setUpCommand, type TrialPackage, trialFiles } from './trial-packages.ts';

/** The machine's own policy on which services may start; policy-rc.d(8). */
const POLICY = '/usr/sbin/policy-rc.d';

const capabilities: Capability[] = ['systemd containers', 'overlay file systems', 'Debian packages'];
const setUpTest = needs(...capabilities);

const packages: TrialPackage[] = [
  { name: 'trial-plain', port: 4711 },
  { name: 'trial-later', port: 4712 },
  { name: 'trial-failing', port: 4713, last: 'exit 1' },
  { name: 'trial-slow', port: 4714, first: 'touch /run/slow-begun; while [ ! -e /run/slow-go ]; do sleep 0.1; done' },
];

let container: SystemdContainer;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  container = await bootSystemd({}, trialFiles(packages), true);
  await prepareTrial(container);
});

afterAll(() => container?.[Symbol.asyncDispose]());

const setUp = (...names: string[]) => container.attempt(...setUpCommand(...names));
const shell = async (command: string) => (await container.attempt('sh', '-c', command)).output;
/** Returns the addresses with a listener. */
const listeners = async () => (await shell("ss -Hltn | awk '{ print $4 }' | sort")).split('\n').filter(Boolean);
const stateOf = async (name: string) => ({
  socket: await shell(`systemctl is-active ${name}.socket`),
  once: await shell(`systemctl is-active ${name}-once.service`),
  atBoot: await shell(`systemctl is-enabled ${name}.socket ${name}-once.service | sort -u`),
});
const off = { socket: 'inactive', once: 'inactive', atBoot: 'disabled' };
const running = { socket: 'active', once: 'active', atBoot: 'enabled' };
const isInstalled = async (name: string) =>
  (await shell(`dpkg-query -W -f '\${db:Status-Status}' ${name}`)) === 'installed';

setUpTest('no service of a package starts, now or at the next boot; those that others install do', async () => {
  const before = await listeners();

  const { status, complaint } = await setUp('trial-plain');

  expect({ status, complaint }).toMatchObject({ status: 0 });
  expect(await isInstalled('trial-plain')).toBe(true);
  expect(await listeners()).toEqual(before);
  expect(await stateOf('trial-plain')).toEqual(off);
  expect(complaint).toContain('stay off until you start them: trial-plain-once.service trial-plain.socket');
  expect((await container.attempt('test', '-e', POLICY)).status).toBe(1);

  await container.run('apt-get', '-q', '-y', 'install', 'trial-later');

  expect(await listeners()).toEqual([...before, '127.0.0.1:4712']);
  expect(await stateOf('trial-later')).toEqual(running);
});

setUpTest('a policy of the machine that lets services start is put back, also when a package fails', async () => {
  const own = '#!/bin/sh\n# of the machine\nexit 104\n';
  await shell(`printf '%s' '${own}' >${POLICY}; chmod 0755 ${POLICY}`);
  const before = await listeners();

  const { status, complaint } = await setUp('trial-failing');

  expect(status).toBe(1);
  expect(complaint).toContain('apt could not install the packages');
  expect(await listeners()).toEqual(before);
  expect(await stateOf('trial-failing')).toEqual(off);
  expect(await shell(`cat ${POLICY}`)).toBe(own.trim());
  expect(await shell(`ls ${POLICY}.*`)).toBe('');
  await container.run('rm', POLICY);
  await container.run('dpkg', '--purge', 'trial-failing');
});

setUpTest('a set-up that is told to end lets apt finish, starts nothing and leaves no policy', async () => {
  const before = await listeners();
  const setup = setUp('trial-slow');
  await waitFor(
    'the package is being installed',
    async () => (await container.attempt('test', '-e', '/run/slow-begun')).status === 0,
  );
  expect((await container.attempt('test', '-e', POLICY)).status).toBe(0);

  await container.run('sh', '-c', `kill -TERM "$(cat ${SETUP_PID})"`);
  await container.run('touch', '/run/slow-go');

  expect(await setup).toMatchObject({ status: 128 + 15 });
  expect(await isInstalled('trial-slow')).toBe(true);
  expect(await listeners()).toEqual(before);
  expect(await stateOf('trial-slow')).toEqual(off);
  expect((await container.attempt('test', '-e', POLICY)).status).toBe(1);
});
