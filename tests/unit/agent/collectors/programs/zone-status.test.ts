import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseZoneStatus, secondsLeft } from '../../../../../src/agent/collectors/programs/zone-status.ts';

const recorded = (name: string) =>
  parseZoneStatus(readFileSync(`tests/golden/agent/recordings/zone-status-${name}`, 'utf8'));

const primary = [
  { name: '2.0.192.in-addr.arpa', role: 'master', serial: 2026112001, expiresInSec: -1 },
  { name: 'broken.example', role: 'master', expiresInSec: -1 },
  { name: 'example.com', role: 'master', serial: 2026112001, expiresInSec: -1 },
  { name: 'example.net', role: 'master', serial: 2026112002, expiresInSec: -1 },
  { name: 'signed.example', role: 'master', serial: 2026112002, expiresInSec: -1 },
];

for (const form of ['primary', 'primary-extended']) {
  test(`${form}: the zones of a primary never expire, and one that did not load has no serial`, () => {
    expect(recorded(form)).toEqual(primary);
  });
}

for (const form of ['secondary', 'secondary-extended']) {
  test(`${form}: the zones of a secondary expire, its own do not`, () => {
    expect(recorded(form)).toEqual([
      { name: 'dead.example', role: 'slave', expiresInSec: 0 },
      { name: 'example.com', role: 'slave', serial: 2026112001, expiresInSec: 9 * 60 + 14 },
      { name: 'example.net', role: 'slave', serial: 2026112002, expiresInSec: 18 },
      { name: 'local.example', role: 'master', serial: 7, expiresInSec: -1 },
    ]);
  });
}

for (const form of ['expired', 'expired-extended']) {
  test(`${form}: a zone that has expired has 0 seconds and no serial`, () => {
    expect(recorded(form).find(({ name }) => name === 'example.net')).toEqual({
      name: 'example.net',
      role: 'slave',
      expiresInSec: 0,
    });
  });
}

test('an expiry that is happening or frozen leaves no time', () => {
  expect(recorded('pending').map(({ name, expiresInSec }) => [name, expiresInSec])).toEqual([
    ['example.com', 555],
    ['example.net', 0],
  ]);
});

for (const [text, seconds] of [
  ['+0s', 0],
  ['+1m', 60],
  ['+1m14s', 74],
  ['+13D22h54m56s', 13 * 86_400 + 22 * 3600 + 54 * 60 + 56],
  ['+1Y2M3D', (365 + 60 + 3) * 86_400],
  ['-5s', 0],
  ['pending', 0],
  ['running(-1s)', 0],
  ['frozen(-2m3s)', 0],
  ['not scheduled', 0],
  ['-', 0],
  ['', 0],
  ['+', 0],
  ['+5', 0],
  ['+5x', 0],
  ['+99999999999s', 0],
] as const) {
  test(`an expiration of ${JSON.stringify(text)} leaves ${seconds} s`, () => {
    expect(secondsLeft(text)).toBe(seconds);
  });
}

test('the order of lines, colours, newer words for roles and the root zone are understood', () => {
  const text =
    '[\x1b[1m\x1b[31mz.example.\x1b[0m] role: secondary | serial: 4294967295 | expiration: +1m\n[.] role: primary | serial: 1\n';

  expect(parseZoneStatus(text)).toEqual([
    { name: '.', role: 'primary', serial: 1, expiresInSec: -1 },
    { name: 'z.example', role: 'secondary', serial: 4294967295, expiresInSec: 60 },
  ]);
});

test('names keep their escapes and lose what would steer a terminal', () => {
  expect(parseZoneStatus('[a\\032b\\046\x07.example.] role: master | serial: 1\n')[0]?.name).toBe(
    'a\\032b\\046\ufffd.example',
  );
});

test('invalid serials are left out', () => {
  const text = ['-', '4294967296', '-1', 'x', '1e3'].map(
    (serial, index) => `[z${index}.] role: master | serial: ${serial}`,
  );

  expect(parseZoneStatus(text.join('\n')).map(({ serial }) => serial)).toEqual(Array(5).fill(undefined));
});

test('lines of another form are skipped while any is understood', () => {
  const text = `[zone role:\nerror: (x)\n[${'a'.repeat(2000)}.] role: master\n[a.] role: MASTER\n[ok.] role: master | serial: 5\n`;

  expect(parseZoneStatus(text).map(({ name }) => name)).toEqual(['ok']);
});

test('a server without zones is not an error, lines of another form are', () => {
  expect(parseZoneStatus('')).toEqual([]);
  expect(() => parseZoneStatus('[zone role:\n')).toThrow(
    'could not understand knotc zone-status: expected a line for each zone with its role',
  );
});
