import { expect, test, vi } from 'vitest';
import { OwnMounts } from '../../../../src/agent/host/own-mounts.ts';

const MOUNTS = [
  '1 0 8:1 / / rw - ext4 /dev/sda1 rw',
  '2 1 0:20 / /run rw - tmpfs tmpfs rw',
  '3 1 8:2 / /var rw - ext4 /dev/sda2 rw',
  '4 3 0:40 / /var/lib/net\\040share rw shared:1 - nfs4 server:/ rw',
  '5 1 8:1 /usr /usr ro - ext4 /dev/sda1 rw',
  '6 1 8:1 /machine /host rw - ext4 /dev/sda1 rw',
  '7 6 8:3 / /host/var rw - ext4 /dev/sda3 rw',
  '',
].join('\n');

for (const [file, point] of [
  ['/etc/os-release', undefined],
  ['/run/reboot-required', undefined],
  ['/usr/lib/os-release', undefined],
  ['/variable', undefined],
  ['/var', '/var'],
  ['/var/lib/dpkg/status', '/var'],
  ['/var/lib/net share/x', '/var/lib/net share'],
] as const) {
  test(`${file} is ${point === undefined ? 'on nothing that hangs alone' : `on the mount ${point}`}`, () => {
    expect(mountsOf('').mounts.unsafePointOf(file)).toBe(point);
  });
}

test('only mounts of the disk that holds the root directory are home, and those that are known', () => {
  const { mounts } = mountsOf('', `${MOUNTS}8 1 8:4 / /usr rw - ext4 /dev/sda4 rw\n`);

  expect(
    ['/', '/host', '/usr', '/var', '/run', '/host/var', '/just-mounted', ''].filter((point) => mounts.isHome(point)),
  ).toEqual([...['/', '/host', '']]);
});

test('mounts that hang with the root directory of the machine are not looked at', () => {
  const { mounts } = mountsOf('/host');

  expect(mounts.unsafePointOf('/host/etc/os-release')).toBeUndefined();
  expect(mounts.unsafePointOf('/host/var/lib')).toBe('/host/var');
});

test('a machine with one disk needs no look at mounts, until another is mounted', () => {
  const { mounts, source, wait } = mountsOf(
    '',
    '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:20 / /run rw - tmpfs t rw\n',
  );
  expect(mounts.areAllSafe).toBe(true);

  source.text = MOUNTS;

  expect(mounts.areAllSafe).toBe(true);
  wait(1_000);
  expect(mounts.areAllSafe).toBe(false);
  expect(source.reads).toBe(2);
});

test('where mounts can not be listed every file may hang', () => {
  const mounts = new OwnMounts(
    '',
    () => {
      throw new Error('ENOENT');
    },
    () => 0,
  );

  expect([mounts.areAllSafe, mounts.unsafePointOf('/etc/os-release')]).toEqual([false, '']);
});

test('on a host of containers a file costs no look at each of the thousands of mounts', () => {
  const layers = Array.from(
    { length: 5_000 },
    (_, id) => `${id + 10} 1 0:${id + 50} / /var/lib/docker/overlay2/${id}/merged rw - overlay overlay rw`,
  );
  const { mounts } = mountsOf('', `1 0 8:1 / / rw - ext4 /dev/sda1 rw\n${layers.join('\n')}\n`);
  expect(mounts.unsafePointOf('/var/lib/docker/overlay2/4999/merged/etc')).toBe('/var/lib/docker/overlay2/4999/merged');
  let found = 0;
  const looks = vi.spyOn(String.prototype, 'startsWith').mockImplementation(() => {
    found += 1;
    return false;
  });

  const point = mounts.unsafePointOf('/sys/devices/virtual/net/veth1/uevent');

  looks.mockRestore();
  expect([point, found < 100]).toEqual([undefined, true]);
});

function mountsOf(root: string, text = MOUNTS) {
  let nowMs = 0;
  const source = { text, reads: 0 };
  const read = (): string => {
    source.reads += 1;
    return source.text;
  };
  const mounts = new OwnMounts(root, read, () => nowMs);
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { mounts, source, wait };
}
