import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Capability, has } from '../../harness/capabilities.ts';
import { needs } from '../../harness/needs.ts';
import type { SystemdContainer } from '../../harness/nspawn.ts';
import { bootSystemd } from '../../harness/systemd-container.ts';
import { CHECKOUT } from './trial-packages.ts';
import { prepareDebian12, sourceOf } from './trial-suites.ts';

const capabilities: Capability[] = ['systemd containers', 'overlay file systems', 'Debian packages'];
const setUpTest = needs(...capabilities);

let container: SystemdContainer;

beforeAll(async () => {
  if (!capabilities.every(has)) return;
  container = await bootSystemd({}, {}, true);
  await prepareDebian12(container);
});

afterAll(() => container?.[Symbol.asyncDispose]());

const shell = async (command: string) => (await container.attempt('sh', '-c', command)).output;
const versionOf = (name: string) => shell(`dpkg-query -W -f '\${Version}' ${name}`);
const aptFolder = () => shell('cd /etc/apt && find . -type f | sort | xargs sha256sum');
/** Returns the packages that an upgrade to the release of the machine's sources would install. */
const upgrades = async () => (await shell('apt-get -s full-upgrade')).split('\n').filter((line) => /^Inst /.test(line));
const leaveOldFiles = () =>
  shell(`printf 'Types: deb\\nURIs: file:/opt/archive\\nSuites: trixie\\nComponents: main\\n' >/etc/apt/sources.list.d/homeport-trixie.sources
printf 'Package: *\\nPin: release n=trixie\\nPin-Priority: 50\\n' >/etc/apt/preferences.d/homeport-trixie`);

setUpTest(
  'on Debian 12 a package of Debian 13 is installed, and nothing stays that holds back an upgrade',
  async () => {
    const before = await aptFolder();
    await leaveOldFiles();

    const { status, complaint } = await container.attempt(`${CHECKOUT}/scripts/setup`, 'check');

    expect({ status, complaint }).toMatchObject({ status: 0 });
    expect(await versionOf('trial-new')).toBe('1');
    expect(await versionOf('trial-both')).toBe('1');
    expect(await aptFolder()).toBe(before);
    expect(await upgrades()).toEqual([]);

    await shell(`echo '${sourceOf('trixie').trim()}' >/etc/apt/sources.list; apt-get -q update`);

    expect(await upgrades()).toEqual([expect.stringContaining('trial-both [1] (2 ')]);
  },
);

setUpTest('what an earlier version left is named, and removed when asked for', async () => {
  const before = await aptFolder();
  await leaveOldFiles();

  const { complaint } = await container.attempt(`${CHECKOUT}/scripts/setup`, 'check');
  expect(complaint).toContain('hold back an upgrade to Debian 13: scripts/setup --undo removes them');
  const undone = await container.attempt(`${CHECKOUT}/scripts/setup`, '--undo');

  expect(undone).toMatchObject({ status: 0 });
  expect(await aptFolder()).toBe(before);
});

setUpTest('set-ups of two checkouts install one after the other', async () => {
  await shell(
    'dpkg --purge trial-new; flock --no-fork /var/lib/dpkg sleep infinity >/dev/null 2>&1 & echo $! >/run/first',
  );
  await shell(`echo '${sourceOf('bookworm').trim()}' >/etc/apt/sources.list`);
  const second = shell(`${CHECKOUT}/scripts/setup check 2>/run/second; echo $?`);
  await waitFor('the second tells of its wait', async () =>
    (await shell('cat /run/second')).includes('another set-up runs on this machine: waiting'),
  );
  expect(await versionOf('trial-new')).toBe('');

  await shell('kill $(cat /run/first)');

  expect(await second).toBe('0');
  expect(await versionOf('trial-new')).toBe('1');
});
