import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Mount, parseMountinfo } from '../../../../../src/agent/collectors/filesystem/mountinfo.ts';
import { realMounts } from '../../../../../src/agent/collectors/filesystem/real-mounts.ts';

/** Returns the mount points that stand for each storage. */
const firstPoints = (mounts: readonly Mount[], options = {}): (string | undefined)[] =>
  realMounts(mounts, options).map(([first]) => first?.mountPoint);

const pointsOf = (...lines: string[]): (string | undefined)[] => firstPoints(parseMountinfo(lines.join('\n')));

const recorded = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'latin1');

for (const type of ['nfs', 'nfs4', 'cifs', 'fuse.sshfs']) {
  test(`${type} is real where other machines' storage is asked for, once per source`, () => {
    const lines = ['2 1 0:60 / /a rw - TYPE nas:/a rw', '3 1 0:61 /sub /b rw - TYPE nas:/a rw'].join('\n');
    const mounts = parseMountinfo(`1 0 8:1 / / rw - ext4 /dev/sda1 rw\n${lines.replaceAll('TYPE', type)}`);

    expect(firstPoints(mounts)).toEqual(['/']);
    expect(firstPoints(mounts, { withRemote: true })).toEqual(['/', '/a']);
  });
}

test('a recorded host has one real file system', () => {
  expect(pointsOf(recorded('mountinfo-host'))).toEqual(['/']);
});

test('a recorded container has its overlay root and the device whose files are bound into it', () => {
  expect(pointsOf(recorded('mountinfo-container'))).toEqual(['/', '/run/host/incoming']);
});

test('a bind mount does not stand for the file system it comes from, in any order', () => {
  const whole = '1 0 8:1 / /srv/long/path rw - ext4 /dev/sda1 rw';
  const bound = '2 1 8:1 /sub /s rw - ext4 /dev/sda1 rw';

  expect(pointsOf(whole, bound)).toEqual(['/srv/long/path']);
  expect(pointsOf(bound, whole)).toEqual(['/srv/long/path']);
});

test('the root directory stands for its file system even when it is a subvolume', () => {
  expect(pointsOf('1 0 0:30 /@ / rw - btrfs /dev/sda2 rw', '2 1 0:30 / /top rw - btrfs /dev/sda2 rw')).toEqual(['/']);
});

test('the shorter path of two whole mounts stands, and the older of equal ones', () => {
  expect(pointsOf('1 0 8:1 / /mnt/a rw - xfs /dev/sda1 rw', '2 1 8:1 / /b rw - xfs /dev/sda1 rw')).toEqual(['/b']);
  expect(pointsOf('9 0 8:1 / /y rw - xfs /dev/sda1 rw', '2 1 8:1 / /x rw - xfs /dev/sda1 rw')).toEqual(['/x']);
});

test('two sources of one block device are one entry', () => {
  expect(pointsOf('1 0 253:0 / / rw - ext4 /dev/dm-0 rw', '2 1 253:0 / /m rw - ext4 /dev/mapper/r rw')).toEqual(['/']);
});

test('a bounded number of the file systems and mounts of a storage is looked at', () => {
  const datasets = Array.from({ length: 5_000 }, (_, id) => `${id} 0 0:${id + 50} / /d/${id} rw - zfs tank/${id} rw`);
  const bound = Array.from({ length: 5_000 }, (_, id) => `${id + 6_000} 0 8:1 /b/${id} /b/${id} rw - xfs /dev/sda1 rw`);

  const storages = realMounts(parseMountinfo([...datasets, ...bound].join('\n')));

  expect(storages.map(({ length }) => length)).toEqual([32, 1_024]);
});

test('a mount covered by another on the same directory is not asked about', () => {
  expect(
    pointsOf('1 0 8:1 / / rw - xfs /dev/sda1 rw', '2 1 8:2 / /d rw - xfs /dev/sda2 rw', '3 2 0:5 / /d rw - tmpfs t rw'),
  ).toEqual(['/']);
});

for (const type of [
  'tmpfs',
  'overlay',
  'squashfs',
  'autofs',
  'nfs4',
  'cifs',
  'fuse.sshfs',
  'fuse',
  'fuse.gvfsd-fuse',
]) {
  test(`${type} is not a real local file system`, () => {
    expect(pointsOf(`1 0 0:9 / /mnt rw - ${type} x rw`)).toEqual([]);
  });
}

for (const type of ['ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'vfat', 'exfat', 'fuseblk', 'bcachefs', 'udf']) {
  test(`${type} is a real local file system`, () => {
    expect(pointsOf(`1 0 8:9 / /mnt rw - ${type} /dev/x rw`)).toEqual(['/mnt']);
  });
}

for (const mountPoint of [
  '/dev',
  '/dev/x',
  '/proc/sys',
  '/sys/x',
  '/run/credentials/a.service',
  '/var/lib/docker/x/y',
]) {
  test(`${mountPoint} belongs to the system itself`, () => {
    expect(pointsOf(`1 0 8:9 / ${mountPoint} rw - ext4 /dev/x rw`)).toEqual([]);
  });
}

test('a directory whose name only begins like one of the system is not left out', () => {
  expect(pointsOf('1 0 8:9 / /devices rw - ext4 /dev/x rw')).toEqual(['/devices']);
});
