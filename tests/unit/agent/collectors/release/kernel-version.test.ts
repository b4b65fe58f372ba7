import { expect, test } from 'vitest';
import {
  compareKernelVersions,
  kernelFlavour,
  newestKernel,
} from '../../../../../src/agent/collectors/release/kernel-version.ts';

for (const [older, newer] of [
  ['6.1.0-9-amd64', '6.1.0-28-amd64'],
  ['6.1.0-rc1', '6.1.0'],
  ['6.1.0-rc2', '6.1.0-rc10'],
  ['6.0.9', '6.1.0-rc1'],
  ['5.14.0-427.9.1.el9_4.x86_64', '5.14.0-427.13.1.el9_4.x86_64'],
  ['6.8.0-31-generic', '6.8.0-101-generic'],
  ['6.9.1-arch1-1', '6.9.1-arch1-2'],
  ['6.9', '6.9.1'],
  ['6.1.0~rc3-amd64', '6.1.0-amd64'],
  ['4.19.0-27-amd64', '6.12.43+deb13-amd64'],
] as const) {
  test(`${older} is older than ${newer}`, () => {
    expect(compareKernelVersions(older, newer)).toBeLessThan(0);
    expect(compareKernelVersions(newer, older)).toBeGreaterThan(0);
    expect(newestKernel([newer, older, newer])).toBe(newer);
  });
}

test('a version is neither older nor newer than itself, and of none none is the newest', () => {
  expect(compareKernelVersions('6.1.0-9-amd64', '6.1.0-9-amd64')).toBe(0);
  expect(newestKernel([])).toBeUndefined();
});

/** Names as distributions give them, by their kind of build: those of one line replace each other, those of two lines do not. */
const FAMILIES: readonly (readonly string[])[] = [
  [
    '6.1.0-28-amd64',
    '6.1.0-31-amd64',
    '6.12.48+deb13-amd64',
    '5.10.0-0.bpo.15-amd64',
    '6.12.9+bpo-amd64',
    '6.11.2+kali-amd64',
    '5.18.0-kali5-amd64',
    '5.18.0-kali7-amd64',
    '6.5.0-13parrot1-amd64',
  ],
  ['6.1.0-28-cloud-amd64', '6.12.48+deb13-cloud-amd64'],
  ['6.1.0-28-rt-amd64', '6.12.117+deb12-rt-amd64'],
  ['6.1.0-28-686', '6.1.0-31-686'],
  ['6.1.0-28-686-pae'],
  ['6.1.0-28-arm64'],
  ['6.12.48+deb13-arm64-16k'],
  ['6.8.0-31-generic', '6.8.0-47-generic', '6.11.0-9-generic'],
  ['6.8.0-47-generic-64k'],
  ['6.8.0-1014-nvidia-64k'],
  ['6.8.0-31-lowlatency'],
  ['6.8.0-1017-aws'],
  [
    '5.14.0-427.el9.x86_64',
    '5.14.0-503.11.1.el9_5.x86_64',
    '6.12.0-55.el10.x86_64',
    '5.10.0-136.12.0.86.oe2203sp1.x86_64',
    '5.10.134-16.an8.x86_64',
    '6.6.0-72.0.0.76.oe2403.x86_64',
  ],
  ['5.14.0-427.el9.x86_64+rt'],
  ['5.14.0-427.el9.x86_64+debug'],
  ['5.14.0-427.el9.aarch64'],
  ['5.14.0-427.el9.aarch64+64k'],
  ['4.18.0-553.rt7.342.el8_10.x86_64', '4.18.0-477.rt7.300.el8_8.x86_64'],
  ['6.12.1-1.el9.elrepo.x86_64'],
  ['5.15.0-302.167.6.el9uek.x86_64', '5.15.0-303.171.5.el9uek.x86_64'],
  ['6.1.112-122.189.amzn2023.aarch64+16k'],
  ['6.11.0-400.asahi.fc41.aarch64+16k', '6.12.0-410.asahi.fc42.aarch64+16k'],
  ['6.11.3-artix1-1', '6.11.4-artix2-1'],
  ['6.5.0-valve21-1-neptune-65', '6.5.0-valve22-1-neptune-65'],
  ['6.6.54-un-def-alt1', '6.6.57-un-def-alt2'],
  ['6.6.54-std-def-alt1'],
  ['6.6.47-generic-1rosa2021.1-x86_64', '6.6.52-generic-2rosa2021.1-x86_64'],
  ['6.6.44-current-rockchip64'],
  ['6.6.44-edge-rockchip64', '6.10.2-edge-rockchip64'],
  ['6.1.0-28-armmp'],
  ['6.1.0-28-armmp-lpae'],
  ['6.6.51-v7+'],
  ['6.9.1-arch1-1', '6.9.2-arch2-1', '6.9.1', '6.9.2-rc3', '6.11.0-rc3-00123-gabcdef0'],
  ['6.9.1-zen1-1-zen', '6.9.2-zen2-1-zen'],
  ['6.11.5-hardened1-1-hardened'],
  ['6.6.30-0-lts', '6.6.58-1-lts'],
  ['6.6.58-rt45-1-rt-lts', '6.6.60-rt46-1-rt-lts'],
  ['6.11.5-2-cachyos'],
  ['6.11.5-2-cachyos-lto'],
  ['6.6.58-1-MANJARO'],
  ['6.6.31+rpt-rpi-v8', '6.1.0-rpi7-rpi-v8', '6.6.51+rpt-rpi-v8'],
  ['6.6.31+rpt-rpi-2712'],
  ['6.1.21-v8+', '6.1.23-v8+'],
  ['6.1.21-v7l+'],
  ['6.6.58-gentoo', '6.6.58-gentoo-r1', '6.6.60-gentoo'],
  ['6.6.58-gentoo-dist'],
  ['6.11.5-x64v3-xanmod1', '6.11.6-x64v3-xanmod2'],
  ['6.6.58-desktop-1.mga9', '6.6.60-desktop-1.mga9'],
  ['6.6.58-server-1.mga9'],
  ['6.4.0-150600.23.25-default', '6.11.2-1-default'],
  ['6.1.112-1.ph5-esx'],
  ['6.8.12-4-pve'],
  ['5.15.167.4-microsoft-standard-WSL2'],
  ['6.11.5-1475.native'],
];

test('kernels of one kind are one flavour through updates and releases, kernels beside them are others', () => {
  const flavours = FAMILIES.map((names) => [...new Set(names.map(kernelFlavour))]);

  expect(flavours.filter(({ length }) => length !== 1)).toEqual([]);
  const all = flavours.flat();
  expect(all.filter((flavour, index) => all.indexOf(flavour) !== index)).toEqual([]);
  expect(FAMILIES).toHaveLength(54);
});
