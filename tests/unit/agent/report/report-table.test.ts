import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hostReport } from '../../../../schemas/report.ts';
import { formatReport } from '../../../../src/agent/report/report-table.ts';

test('a report is one line per fact, readable by a person', async () => {
  const report = hostReport.parse(JSON.parse(readFileSync('tests/golden/agent/expected.report.json', 'utf8')));

  const table = formatReport({ ...report, errors: { postfix: 'EACCES' } });

  await expect(`${table}\n`).toMatchFileSnapshot('../../../golden/agent/expected.report.txt');
});

test('what a host does not have takes no line', () => {
  const table = formatReport({ host: 'bare', time: '2026-02-03T04:05:06.789Z', errors: {} });

  expect(table).toBe('host      bare\ntime      2026-02-03T04:05:06.789Z');
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
