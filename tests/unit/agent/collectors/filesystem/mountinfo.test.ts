import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseMountinfo } from '../../../../../src/agent/collectors/filesystem/mountinfo.ts';
import { processorMs } from '../../../../harness/processor-time.ts';

const recording = (name: string): string => readFileSync(`tests/golden/agent/recordings/${name}`, 'latin1');

test('every line of the recordings is a mount', () => {
  for (const name of ['mountinfo-host', 'mountinfo-container']) {
    const text = recording(name);
    expect(parseMountinfo(text)).toHaveLength(text.trimEnd().split('\n').length);
  }
});

test('optional fields may be none, one or many', () => {
  const lines = ['1 0 8:1 / / rw - ext4 /dev/sda1 rw', '1 0 8:1 / / rw shared:1 master:2 x - ext4 /dev/sda1 rw'];

  for (const line of lines) {
    expect(parseMountinfo(`${line}\n`)).toEqual([
      {
        ...{ id: 1, parentId: 0, major: 8, minor: 1, root: '/', mountPoint: '/', fsType: 'ext4', source: '/dev/sda1' },
        isReadOnly: false,
      },
    ]);
  }
});

test('a read-only file system is distinguished from a read-only mount', () => {
  const isReadOnly = (rest: string): boolean | undefined => parseMountinfo(`1 0 8:1 / / ${rest}\n`)[0]?.isReadOnly;

  expect(isReadOnly('ro - ext4 /dev/sda1 rw,errors=remount-ro')).toBe(false);
  expect(isReadOnly('ro - overlay composefs ro,lowerdir=/a')).toBe(true);
  expect(isReadOnly('ro - erofs /dev/sda1 ro')).toBe(true);
  expect(isReadOnly('rw - tmpfs  rw')).toBe(false);
});

test('octal escapes are decoded and bytes stay bytes', () => {
  const [mount] = parseMountinfo('1 0 8:1 /a\\134b /x\\040\\011\\012\\043\xff rw - ext4 /dev/\\303\\251 rw\n');

  expect(mount).toMatchObject({ root: '/a\\b', mountPoint: '/x \t\n#\xff', source: '/dev/\xc3\xa9' });
});

test('an empty source is a source', () => {
  expect(parseMountinfo('1 0 0:9 / /run rw - ramfs  rw\n')).toMatchObject([{ fsType: 'ramfs', source: '' }]);
});

for (const line of ['', 'x', '1 0 8:1 / / rw', '1 0 8:1 / / rw -', '1 0 8 / / rw - ext4 /dev/sda1 rw']) {
  test(`the line ${JSON.stringify(line)} is skipped and the next one is read`, () => {
    expect(parseMountinfo(`${line}\n2 1 8:2 / /b rw - xfs /dev/sda2 rw`)).toMatchObject([{ mountPoint: '/b' }]);
  });
}

test('a hundred thousand mounts are parsed in well under a second', () => {
  const text = Array.from({ length: 100_000 }, (_, id) => `${id} 1 0:${id} / /m/${id} rw - tmpfs tmpfs rw`).join('\n');
  let mounts: ReturnType<typeof parseMountinfo> = [];

  const tookMs = processorMs(() => {
    mounts = parseMountinfo(text);
  });

  expect(mounts).toHaveLength(100_000);
  expect(tookMs).toBeLessThan(1_000);
});
