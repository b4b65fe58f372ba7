import type { Provider } from 'oidc-provider';
import { expect, test } from 'vitest';
import { createTokenVerifier } from '../../../../src/connector/oauth/access-tokens.ts';

const BASE = 'https://irc.example.org';
const GOOD = { isValid: true, aud: BASE, accountId: 'acc_1', clientId: 'client', scope: 'irc:read irc:write', exp: 5 };

/** Verifies a token that the library keeps like this. */
const verified = (kept: object | undefined) =>
  createTokenVerifier({ AccessToken: { find: async () => kept } } as unknown as Provider, BASE)('the token');

test('a token for this address opens it, with the scopes that there are', async () => {
  expect(await verified(GOOD)).toEqual({
    accountId: 'acc_1',
    clientId: 'client',
    scopes: ['irc:read', 'irc:write'],
    expiresAt: 5,
  });
  expect(await verified({ ...GOOD, scope: 'irc:read openid' })).toMatchObject({ scopes: ['irc:read'] });
});

for (const [why, kept] of [
  ['is unknown', undefined],
  ['has ended', { ...GOOD, isValid: false }],
  ['is for another resource', { ...GOOD, aud: 'https://other.example' }],
  ['is for an address that begins alike', { ...GOOD, aud: `${BASE}.evil.example` }],
  ['is for several resources', { ...GOOD, aud: [BASE, 'https://other.example'] }],
  ['is for none', { ...GOOD, aud: undefined }],
] as const) {
  test(`a token that ${why} is refused`, async () => {
    expect(await verified(kept)).toBeUndefined();
  });
}
