import { expect, test } from 'vitest';
import { dayStartMs, nixpkgsDateOf } from '../../../../../src/agent/collectors/release/nixos-version.ts';

for (const [version, date] of [
  ['25.11.20260101.abcdef1', '20260101'],
  ['26.05.20260614.dirty', '20260614'],
  ['26.05pre20260614.abcdef1', '20260614'],
  ['25.11beta20251111.abcdef1', '20251111'],
  ['24.05.20240229.abcdef1', '20240229'],
  ['25.11.1234.abcdef1', ''],
  ['26.05pre912345.abcdef1', ''],
  ['25.11.git.abcdef1', ''],
  ['25.11pre-git', ''],
  ['25.11.19700101.abcdef1', ''],
  ['25.11.20260230.abcdef1', ''],
  ['25.11.20261301.abcdef1', ''],
  ['25.11.99990101.abcdef1', ''],
  ['25.11.00000000.abcdef1', ''],
  ['25.11.20260101', ''],
  ['my own label', ''],
  ['', ''],
] as const) {
  test(`the version ${JSON.stringify(version)} ${date === '' ? 'reports no day' : `is of ${date}`}`, () => {
    expect(nixpkgsDateOf(version)).toBe(date);
  });
}

test('a day begins at midnight in UTC', () => {
  expect(new Date(dayStartMs('20260614')).toISOString()).toBe('2026-06-14T00:00:00.000Z');
});
