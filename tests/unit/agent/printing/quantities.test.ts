import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from '../../../../src/agent/printing/quantities.ts';

test('bytes have units a person knows', () => {
  expect([0, 1023, 1024, 2 ** 40, 2 ** 63].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.0 TiB',
    '8192.0 PiB',
  ]);
});

test('durations have units a person knows', () => {
  expect([0, 59.9, 3600, 90_061].map(formatDuration)).toEqual(['0 s', '59 s', '1 h 0 min', '1 d 1 h 1 min']);
});
