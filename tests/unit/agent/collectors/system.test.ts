import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Collector, Contribution } from '../../../../src/agent/collectors/collector.ts';
import { kernel } from '../../../../src/agent/collectors/kernel.ts';
import { os } from '../../../../src/agent/collectors/os.ts';
import { packages } from '../../../../src/agent/collectors/packages.ts';
import { system } from '../../../../src/agent/collectors/system.ts';
import type { Host } from '../../../../src/agent/host/host.ts';
import { RootTree } from '../../../../src/agent/host/root-tree.ts';
import { hostWith } from '../../../harness/host-double.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 12);
const BOOTED = '/nix/store/bbb-nixos-system-h-26.05';
const CURRENT = '/nix/store/ccc-nixos-system-h-26.05';

const collect = async (collector: Collector, host: Host): Promise<Contribution> => collector.collect(host);

/** A NixOS; the parts of its two systems point where the second argument says. */
const nixos = (more: Record<string, string> = {}): Record<string, string> => ({
  '/etc/os-release': '->/etc/static/os-release',
  '/etc/static': `->${CURRENT}/etc`,
  [`${CURRENT}/etc/os-release`]: 'ID=nixos\nNAME=NixOS\nVERSION_ID="26.05"\nBUILD_ID="26.05.20260614.abcdef1"\n',
  '/run/booted-system': `->${BOOTED}`,
  '/run/current-system': `->${CURRENT}`,
  [`${BOOTED}/kernel`]: '->/nix/store/k1-linux/bzImage',
  [`${BOOTED}/initrd`]: '->/nix/store/i1-initrd/initrd',
  [`${BOOTED}/kernel-modules`]: '->/nix/store/m1-modules',
  [`${CURRENT}/kernel`]: '->/nix/store/k1-linux/bzImage',
  [`${CURRENT}/initrd`]: '->/nix/store/i1-initrd/initrd',
  [`${CURRENT}/kernel-modules`]: '->/nix/store/m1-modules',
  ...more,
});

test('NixOS reports its systems, its version and the age of its packages, links resolved within the root', async () => {
  const host = await hostOf(nixos());

  const contribution = await collect(system, host);

  expect(contribution.sections.system).toEqual({
    booted: BOOTED,
    current: CURRENT,
    rebootNeeded: false,
    nixosVersion: '26.05.20260614.abcdef1',
    nixpkgsDate: '20260614',
  });
  expect(contribution.problems).toEqual([]);
  expect(metrics(contribution)).toEqual({ monitor_reboot_required: 0, monitor_nixpkgs_age_seconds: 6.5 * 86_400 });
});

for (const part of ['kernel', 'initrd', 'kernel-modules']) {
  test(`NixOS needs a boot for another ${part}, and for one that only one of the systems has`, async () => {
    const changed = await collect(system, await hostOf(nixos({ [`${CURRENT}/${part}`]: '->/nix/store/other' })));
    const { [`${BOOTED}/${part}`]: _, ...without } = nixos();
    const appeared = await collect(system, await hostOf(without));

    for (const contribution of [changed, appeared]) {
      expect(contribution.sections.system?.rebootNeeded).toBe(true);
      expect(metrics(contribution)['monitor_reboot_required']).toBe(1);
    }
  });
}

test('kernel and packages are absent on NixOS', async () => {
  const host = await hostOf(nixos({ '/var/lib/dpkg/status': 'x', '/lib/modules/9.9/modules.dep': '' }));

  for (const collector of [kernel, packages]) {
    expect(await collect(collector, host)).toEqual({ sections: {}, families: [] });
  }
  expect((await collect(os, host)).sections.os).toEqual({ id: 'nixos', versionId: '26.05', name: 'NixOS' });
});

test('a version without a day gives no age, and nor does a day in the future', async () => {
  const withVersion = (version: string) => nixos({ [`${CURRENT}/etc/os-release`]: `ID=nixos\nBUILD_ID=${version}\n` });

  const undated = await collect(system, await hostOf(withVersion('25.11.1234.abcdef1')));
  const future = await collect(system, await hostOf(withVersion('26.11.20991231.abcdef1')));

  expect(undated.sections.system).toMatchObject({ nixosVersion: '25.11.1234.abcdef1', nixpkgsDate: '' });
  expect(metrics(undated)).toEqual({ monitor_reboot_required: 0 });
  expect(metrics(future)['monitor_nixpkgs_age_seconds']).toBe(0);
});

test('the label of the system stands in for a version the release file lacks', async () => {
  const files = nixos({
    [`${CURRENT}/etc/os-release`]: 'ID=nixos\n',
    [`${CURRENT}/nixos-version`]: '25.11.20260101.ab\n',
  });

  expect((await collect(system, await hostOf(files))).sections.system).toMatchObject({
    nixosVersion: '25.11.20260101.ab',
  });
});

test('a NixOS without facts has empty fields and reasons', async () => {
  const contribution = await collect(system, await hostOf({ '/etc/os-release': 'ID=nixos\n' }));

  expect(contribution.sections.system).toEqual({ booted: '', current: '', nixosVersion: '', nixpkgsDate: '' });
  expect(metrics(contribution)).toEqual({});
  expect(contribution.problems).toEqual([
    '/run/booted-system is not a link to a system',
    '/run/current-system is not a link to a system',
    'the version of NixOS is missing: BUILD_ID of /etc/os-release does not have it, and the system does not report it',
  ]);
});

/** A Guix System, which names its systems as NixOS does. */
const guix = (booted: string, current: string): Record<string, string> => ({
  '/etc/os-release': 'ID=guix\nNAME="Guix System"\n',
  '/run/booted-system': '->/gnu/store/bbb-system',
  '/run/current-system': '->/gnu/store/ccc-system',
  [`/gnu/store/bbb-system/kernel/lib/modules/${booted}/modules.dep`]: '',
  [`/gnu/store/ccc-system/kernel/lib/modules/${current}/modules.dep`]: '',
});

for (const [why, current, isRequired] of [
  ['the kernel it runs', '6.12.17-gnu', 0],
  ['a newer kernel', '6.12.20-gnu', 1],
] as const) {
  test(`a Guix System that would boot ${why} is not NixOS, and says so`, async () => {
    const host = await hostOf(guix('6.12.17-gnu', current), '6.12.17-gnu');

    const found = await collect(kernel, host);

    expect((await collect(system, host)).sections).toEqual({ system: {} });
    expect(found.sections.kernel).toEqual({ running: '6.12.17-gnu', newest: current });
    expect(metrics(found)).toEqual({ monitor_reboot_required: isRequired });
    expect((await collect(packages, host)).sections).toEqual({});
  });
}

test('a NixOS that has given itself another name is one by the mark that NixOS makes', async () => {
  const renamed = nixos({ [`${CURRENT}/etc/os-release`]: 'ID=ours\nBUILD_ID=26.05.20260614.ab\n', '/etc/NIXOS': '' });

  expect((await collect(system, await hostOf(renamed))).sections.system).toMatchObject({ current: CURRENT });
});

test('elsewhere the system is empty, and that is not an error', async () => {
  expect(await collect(system, await hostOf({ '/etc/os-release': 'ID=debian\n' }))).toEqual({
    sections: { system: {} },
    families: [],
  });
});

for (const [why, installed, running, newest, isRequired] of [
  ['a newer kernel of its flavour', ['6.1.0-28-amd64', '6.1.0-31-amd64'], '6.1.0-28-amd64', '6.1.0-31-amd64', 1],
  ['only its own kernel', ['6.1.0-28-amd64'], '6.1.0-28-amd64', '6.1.0-28-amd64', 0],
  ['an older kernel', ['6.1.0-9-amd64'], '6.1.0-28-amd64', '6.1.0-9-amd64', 0],
  ['a newer kernel of another flavour', ['6.12.1+deb12-rt-amd64'], '6.1.0-28-amd64', '6.12.1+deb12-rt-amd64', 0],
  ['no kernel', [], '6.18.44', '', 0],
] as const) {
  test(`a machine with ${why} ${isRequired === 1 ? 'needs a boot' : 'needs none'}`, async () => {
    const files = Object.fromEntries(installed.map((version) => [`/usr/lib/modules/${version}/modules.dep`, '']));

    const contribution = await collect(kernel, await hostOf(files, running));

    expect(contribution.sections.kernel).toEqual({ running, newest });
    expect(metrics(contribution)).toEqual({ monitor_reboot_required: isRequired });
  });
}

test('the leftovers of a removed kernel do not count as a kernel', async () => {
  const files = {
    '/lib/modules/9.9-amd64/updates/x.ko': '',
    '/lib/modules/6.1-amd64/vmlinuz': '',
    '/lib/modules/note': '',
  };

  expect((await collect(kernel, await hostOf(files, '6.1-amd64'))).sections.kernel?.newest).toBe('6.1-amd64');
});

test('the file that an update leaves asks for a boot', async () => {
  const contribution = await collect(
    kernel,
    await hostOf({ '/run/reboot-required': '*** System restart required ***\n' }),
  );

  expect(metrics(contribution)).toEqual({ monitor_reboot_required: 1 });
});

for (const [id, file, manager] of [
  ['ID=debian', '/var/lib/dpkg/status', 'dpkg'],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"', '/var/lib/dpkg/status', 'dpkg'],
  ['ID=fedora', '/usr/lib/sysimage/rpm/rpmdb.sqlite', 'rpm'],
  ['ID=rocky\nID_LIKE="rhel centos fedora"', '/var/lib/rpm/rpmdb.sqlite-wal', 'rpm'],
  ['ID="opensuse-leap"\nID_LIKE="suse opensuse"', '/var/lib/rpm/Packages', 'rpm'],
  ['ID=alpine', '/lib/apk/db/installed', 'apk'],
  ['ID=alpine', '/usr/lib/apk/db/installed', 'apk'],
  ['ID=arch', '/var/lib/pacman/local', 'pacman'],
  ['ID=unheard-of', '/lib/apk/db/installed', 'apk'],
] as const) {
  test(`${id.replace('\n', ' ')} with ${file} is managed by ${manager}`, async () => {
    const host = await hostOf({ '/etc/os-release': `${id}\n`, [file]: '1700000000' });

    expect((await collect(packages, host)).sections.packages).toEqual({ manager, changed: 1_700_000_000 });
  });
}

test("a distribution's own manager wins over others installed beside it, and its newest file counts", async () => {
  const databases = {
    '/var/lib/dpkg/status': '1700000000',
    '/var/lib/rpm/rpmdb.sqlite': '1600000000',
    '/var/lib/rpm/rpmdb.sqlite-wal': '1650000000',
  };
  const on = async (id: string) =>
    (await collect(packages, await hostOf({ '/etc/os-release': `ID=${id}\n`, ...databases }))).sections.packages;

  expect(await on('debian')).toEqual({ manager: 'dpkg', changed: 1_700_000_000 });
  expect(await on('fedora')).toEqual({ manager: 'rpm', changed: 1_650_000_000 });
});

test('a machine without a known manager has no packages, and that is not an error', async () => {
  expect(await collect(packages, await hostOf({}))).toEqual({ sections: {}, families: [] });
});

/** A machine with these files and links, `->` before a target, that runs this kernel. */
async function hostOf(files: Record<string, string>, running = '6.1.0-28-amd64'): Promise<Host> {
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text.startsWith('->')) symlinkSync(text.slice(2), file);
    else writeFileSync(file, text);
    if (/^\d+$/.test(text)) utimesSync(file, Number(text), Number(text));
  }
  return hostWith({ now: () => NOW_MS, root: new RootTree(folder.path), readProc: () => `${running}\n` });
}

/** Metric -> value of one that has no labels. */
function metrics({ families }: Contribution): Record<string, number | undefined> {
  return Object.fromEntries(families.map(({ name, samples }) => [name, samples[0]?.value]));
}
