import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDiskstatsCollector, parseDiskstats } from '../../../../src/agent/collectors/diskstats.ts';
import { filesWith, hostWith } from '../../../harness/host-double.ts';

const line = (device: string, fields = '1 0 2 0 3 0 4 0 0 5 0') => `   8       0 ${device} ${fields}\n`;
const devices = (text: string): string[] => parseDiskstats(text).map(({ device }) => device);

test('a recorded machine has its disk, and neither loop nor memory devices', () => {
  expect(parseDiskstats(readFileSync('tests/golden/agent/recordings/diskstats', 'latin1'))).toEqual([
    {
      device: 'vda',
      reads: 389571,
      writes: 423700,
      readBytes: 20263850 * 512,
      writtenBytes: 26985552 * 512,
      ioTimeMs: 45284,
    },
  ]);
});

for (const [kind, names] of [
  [
    'partitions',
    ['sda1', 'hda3', 'vda15', 'xvda1', 'nvme0n1p1', 'mmcblk0p2', 'nbd0p1', 'md127p1', 'rbd0p1', 'bcache0p1'],
  ],
  ['devices that are not disks', ['ram0', 'zram0', 'loop7', 'fd0', 'loop0p1']],
] as const) {
  test(`${kind} are left out`, () => {
    expect(devices(names.map((name) => line(name)).join(''))).toEqual([]);
  });
}

test('whole disks of every driver are kept, with 14, 18, 20 and more fields', () => {
  const tails = ['', ' 0 0 0 0', ' 0 0 0 0 0 0', ' 0'.repeat(86)];
  const names = ['sda', 'vdb', 'nvme0n1', 'mmcblk0', 'dm-0', 'md127', 'sr0', 'nbd3', 'rbd1', 'cciss/c0d0', 'xvda'];

  expect(devices(names.map((name, index) => line(name, `1 0 2 0 3 0 4 0 0 5 0${tails[index % 4]}`)).join(''))).toEqual(
    names,
  );
});

test('lines that are short, cut or no numbers are skipped', () => {
  const text = `${line('sda')}   3 1 hda1 1 2 3 4\n${line('sdb', '1 0 x 0 3 0 4 0 0 5 0')}\n${line('sdc', '1 0 -2 0 3 0 4 0 0 5 0')}${line('sdd').slice(0, -1)}`;

  expect(devices(text)).toEqual(['sda']);
});

test('a machine without block devices has none', () => {
  expect(parseDiskstats('')).toEqual([]);
});

test('a file of something else is refused by name', () => {
  expect(() => parseDiskstats('Inter-|   Receive\n')).toThrow(
    'could not understand /proc/diskstats: expected a line for each device',
  );
});

test('partitions according to sysfs are left out, and each device is asked about once while it stays', async () => {
  const asked: string[] = [];
  let text = line('cciss/c0d0') + line('cciss/c0d0p1');
  const host = hostWith({
    readProc: () => text,
    sys: {
      ...filesWith({}),
      has: async (path) => {
        asked.push(path);
        return path.includes('p1');
      },
    },
  });
  const collector = createDiskstatsCollector();
  const reported = async (): Promise<string[] | undefined> =>
    (await collector.collect(host)).counters?.disks?.map(({ device }) => device);

  expect(await reported()).toEqual(['cciss/c0d0']);
  expect(await reported()).toEqual(['cciss/c0d0']);
  expect(asked).toEqual(['/class/block/cciss!c0d0/partition', '/class/block/cciss!c0d0p1/partition']);

  text = line('sda');
  await reported();
  text = line('cciss/c0d0');
  await reported();
  expect(asked.slice(2)).toEqual(['/class/block/sda/partition', '/class/block/cciss!c0d0/partition']);
});

test('devices beyond those of one report are counted as a problem', async () => {
  const text = Array.from({ length: 1027 }, (_, index) => line(`dm-${index}`)).join('');
  const host = hostWith({ readProc: () => text, sys: filesWith({}) });

  const { counters, problems } = await createDiskstatsCollector().collect(host);

  expect(counters?.disks).toHaveLength(1024);
  expect(problems).toEqual(['3 more than 1024 devices']);
});

test('the seconds are the same doubles as those of node_exporter', async () => {
  const host = hostWith({ readProc: () => line('sda', '1 0 2 0 3 0 4 0 0 9 0'), sys: filesWith({}) });

  const { families } = await createDiskstatsCollector().collect(host);

  expect(families.find(({ name }) => name === 'node_disk_io_time_seconds_total')?.samples[0]?.value).toBe(9 * 0.001);
  expect(9 * 0.001).not.toBe(9 / 1000);
});
