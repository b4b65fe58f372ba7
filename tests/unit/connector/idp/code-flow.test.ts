import { expect, test } from 'vitest';
import { requireLogin } from '../../../../src/connector/idp/code-flow.ts';

test('a login counts exactly as the identity provider writes it', () => {
  expect(requireLogin('ada', 'the claim')).toBe('ada');
});

for (const written of [
  '',
  ' ',
  ' ada',
  'ada ',
  'ada\u00A0',
  '\uFEFFada',
  'a\u200Bda',
  'ada\u2060',
  'ada\n',
  undefined,
  7,
]) {
  test(`${JSON.stringify(written)} of an identity provider is not a login`, () => {
    expect(() => requireLogin(written, 'the claim')).toThrow('the identity provider sent no login');
  });
}
