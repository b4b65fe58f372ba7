import { expect, test } from 'vitest';
import { groupId, isKnown } from '../../../../src/kernel/systemd/accounts.ts';

test('accounts and groups are asked for by name', () => {
  expect(isKnown('passwd', 'root')).toBe(true);
  expect(isKnown('group', 'root')).toBe(true);
  expect(isKnown('group', 'no-such-group')).toBe(false);
  expect(groupId('root')).toBe(0);
  expect(groupId('no-such-group')).toBeUndefined();
});

test('a machine without a way to ask is reported', () => {
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  try {
    expect(() => isKnown('group', 'root')).toThrow(/^could not ask for the group entry root: .*ENOENT/);
  } finally {
    process.env['PATH'] = PATH;
  }
});
