import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostReport } from '../../../../schemas/report.ts';
import { formatReport } from '../../../../src/agent/printing/report-table.ts';

test('a report is one line per fact, readable by a person', async () => {
  const report = hostReport.parse(JSON.parse(readFileSync('tests/golden/agent/expected.report.json', 'utf8')));

  const table = formatReport({ ...report, errors: { postfix: 'EACCES' } });

  await expect(`${table}\n`).toMatchFileSnapshot('../../../golden/agent/expected.report.txt');
});

test('absent values take no line', () => {
  const table = formatReport({ host: 'bare', time: '2026-02-03T04:05:06.789Z', errors: {} });

  expect(table).toBe('host      bare\ntime      2026-02-03T04:05:06.789Z');
});

test('a narrow terminal gets broken lines, under each other, and words as they are', () => {
  const disk = { device: '/dev/vda', fsType: 'ext4', totalBytes: 2048, availBytes: 1024, files: 1, filesFree: 1 };
  const report = {
    host: 'narrow',
    time: '2026-02-03T04:05:06.789Z',
    disks: [{ ...disk, mount: '/', usedPct: 50, inodesPct: 0 }],
    failedUnits: [],
    errors: { postfix: 'a-word-that-is-longer-than-the-line-has-room-for and more' },
  };

  expect(formatReport(report, { columns: 40 }).split('\n')).toEqual([
    'host      narrow',
    'time      2026-02-03T04:05:06.789Z',
    'disks     /  50.0 % used, 1.0 KiB free',
    '          of 2.0 KiB, inodes 0.0 %',
    '          (/dev/vda, ext4)',
    'failed    none',
    'errors    postfix:',
    '          a-word-that-is-longer-than-the-line-has-room-for',
    '          and more',
  ]);
  expect(formatReport(report, { columns: 20 })).toBe(formatReport(report));
});

test('problems are red on a terminal with colours', () => {
  const report = { host: 'sick', time: '2026-02-03T04:05:06.789Z', failedUnits: ['a.service'], errors: { knot: 'no' } };

  const lines = formatReport(report, { hasColours: true }).split('\n');

  expect(lines.slice(2)).toEqual(['failed    \x1b[31ma.service\x1b[39m', 'errors    \x1b[31mknot: no\x1b[39m']);
  expect(formatReport({ ...report, failedUnits: [], errors: {} }, { hasColours: true })).not.toContain('\x1b');
});

test('a tunnel peer is shown by the name it has in the configuration', () => {
  const peer = { latestHandshake: 0, rxBytes: 0, txBytes: 0 };
  const report = {
    host: 'hub',
    time: '2026-02-03T04:05:06.789Z',
    wireguard: [
      { publicKey: 'KEY-OF-ADA', ...peer },
      { publicKey: 'KEY-OF-NOBODY', ...peer },
    ],
    errors: {},
  };

  expect(
    formatReport(report, { peerNames: new Map([['KEY-OF-ADA', 'ada']]) })
      .split('\n')
      .slice(2),
  ).toEqual([
    'tunnels   ada  no handshake yet, 0 B in, 0 B out',
    '          KEY-OF-NOBODY  no handshake yet, 0 B in, 0 B out',
  ]);
});

test('the table says that there are no disks, unless they did not answer', () => {
  const table = formatReport({ host: 'diskless', time: '2026-02-03T04:05:06.789Z', disks: [], errors: {} });

  expect(table.split('\n').at(-1)).toBe('disks     none');
});

test('NixOS shows its own version and whether it wants a boot', () => {
  const table = formatReport({
    host: 'nix',
    time: '2026-02-03T04:05:06.789Z',
    os: { id: 'nixos', versionId: '25.11', name: 'NixOS' },
    system: { booted: '/nix/store/a', current: '/nix/store/b', rebootNeeded: true, nixosVersion: '25.11.20260101.abc' },
    postfix: { messages: 0, queues: { deferred: 0 }, oldestAgeSec: 0 },
    errors: {},
  });

  expect(table.split('\n')).toEqual([
    'host      nix',
    'system    NixOS 25.11.20260101.abc',
    '          reboot needed: another system is booted than the current one',
    'time      2026-02-03T04:05:06.789Z',
    'mail      no message waits',
  ]);
});
