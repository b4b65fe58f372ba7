import type { Request } from 'express';
import { expect, test } from 'vitest';
import { momentsFor } from '../../../../src/connector/pages/moments.ts';

const HOUR_MS = 3_600_000;

const momentsOf = (cookie: string | undefined) => momentsFor({ headers: { cookie } } as Request);
const momentsIn = (zone: string) => momentsOf(`__Host-zone=${encodeURIComponent(zone)}`);
const text = ({ source }: { source: string }): string => source.replace(/<[^>]+>/g, '');

test('times are in the zone that the browser names, and say which one that is', () => {
  const at = Date.UTC(2026, 0, 31, 23, 30);
  const kolkata = momentsIn('Asia/Kolkata');

  expect(text(kolkata.minute(at))).toBe('1 Feb 2026, 05:00 GMT+5:30');
  expect([text(kolkata.day(at)), text(kolkata.clock(at)), kolkata.dateOf(at)]).toEqual([
    '1 Feb 2026',
    '05:00:00',
    '2026-02-01',
  ]);
  expect(kolkata.minute(at).source).toContain('datetime="2026-01-31T23:30:00.000Z"');
  expect(text(momentsIn('Europe/Berlin').minute(Date.UTC(2026, 6, 1)))).toBe('1 Jul 2026, 02:00 CEST');
});

test.each([
  undefined,
  '__Host-zone=',
  '__Host-zone=Europe%2FAtlantis',
  '__Host-zone=%',
  '__Host-zone=<script>',
  `__Host-zone=${'Europe%2F'.repeat(1_000)}`,
])('times are in UTC where the browser sends %j', (cookie) => {
  const moments = momentsOf(cookie);
  expect([moments.zone, text(moments.minute(0))]).toEqual(['UTC', '1 Jan 1970, 00:00 UTC']);
});

test('a day begins at midnight there, also where the clock is put forward or back', () => {
  const berlin = momentsIn('Europe/Berlin');
  const lengths = ['2026-03-29', '2026-06-01', '2026-10-25'].map((day) => {
    const midnight = Date.parse(`${day}T00:00Z`);
    return (berlin.beginOf(midnight + 24 * HOUR_MS) - berlin.beginOf(midnight)) / HOUR_MS;
  });
  expect(lengths).toEqual([23, 24, 25]);
  expect(momentsIn('America/New_York').beginOf(Date.UTC(2026, 0, 1))).toBe(Date.UTC(2026, 0, 1, 5));
});

test.each([
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
])('in %s, where clocks change at midnight, %s begins at %s and not within the day before', (zone, day, begins) => {
  const moments = momentsIn(zone);
  const at = moments.beginOf(Date.parse(`${day}T00:00Z`));
  expect(new Date(at).toISOString()).toBe(begins);
  expect(moments.dateOf(at)).toBe(day);
  expect(moments.dateOf(at - 1) < day).toBe(true);
});

test('zones beyond those that are kept in memory are as right', () => {
  const offsets = Array.from({ length: 23 * 12 }, (_, n) => [Math.floor(n / 12), (n % 12) * 5] as const);
  for (let round = 0; round < 2; round += 1) {
    for (const [hours, minutes] of offsets) {
      const zone = `+${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      expect(momentsIn(zone).beginOf(0)).toBe(-(hours * HOUR_MS + minutes * 60_000) + 0);
    }
  }
});
