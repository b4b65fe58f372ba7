import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostReport } from '../../../../schemas/report.ts';
import { formatBytes, formatDuration, formatReport } from '../../../../src/agent/report/report-table.ts';

test('a report is one line per fact, readable by a person', () => {
  const report = hostReport.parse(JSON.parse(readFileSync('tests/golden/agent/expected.report.json', 'utf8')));

  expect(formatReport({ ...report, errors: { postfix: 'EACCES' } })).toBe(
    [
      'host    tree',
      'time    2026-02-03T04:05:06.789Z',
      'uptime  11 d 0 h 10 min',
      'load    1.62  0.87  0.44',
      'cpus    3',
      'memory  7.8 GiB',
      'swap    1.6 GiB free of 2.0 GiB',
      'disks   /  66.7 % used, 2.5 GiB free of 10.0 GiB  (/dev/mapper/vg-root, ext4)',
      '        /boot  66.7 % used, 128.0 MiB free of 512.0 MiB  (/dev/sda1, vfat)',
      '        /media/USB stick\ufffd\\  100.0 % used, 0 B free of 3.9 MiB  (/dev/sdb1, ext4)',
      '        /mnt/pool  66.7 % used, 3.7 TiB free of 14.9 TiB  (/dev/sdc, btrfs)',
      '        /srv/café  66.7 % used, 2.9 MiB free of 11.7 MiB  (/dev/sde1, fuseblk)',
      '        /tank  66.7 % used, 156.3 MiB free of 625.0 MiB  (tank, zfs)',
      'error   postfix: EACCES',
    ].join('\n'),
  );
});

test('bytes and durations have units a person knows', () => {
  expect([0, 1023, 1024, 2 ** 40, 2 ** 63].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.0 TiB',
    '8192.0 PiB',
  ]);
  expect([0, 59, 3600, 90_061].map(formatDuration)).toEqual(['0 min', '0 min', '1 h 0 min', '1 d 1 h 1 min']);
});
