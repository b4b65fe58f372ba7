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

test('the flavour is what stands behind the numbers', () => {
  const flavours = {
    '6.1.0-28-amd64': '-amd64',
    '6.12.117+deb12-rt-amd64': '-rt-amd64',
    '6.12.43+deb13-amd64': '-amd64',
    '6.1.0-28-cloud-amd64': '-cloud-amd64',
    '6.8.0-31-generic': '-generic',
    '6.6.31+rpt-rpi-v8': '-rpi-v8',
    '5.14.0-427.el9.x86_64+rt': '+rt',
    '5.14.0-427.el9.x86_64': '',
    '6.9.1-arch1-1': '',
    '6.9.1-zen1-1-zen': '-zen',
    '6.6.30-0-lts': '-lts',
  };

  expect(Object.fromEntries(Object.keys(flavours).map((version) => [version, kernelFlavour(version)]))).toEqual(
    flavours,
  );
});
