import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { keysOf, newKeys } from '../../../../src/connector/store/keys.ts';

const content = JSON.parse(newKeys()) as Record<string, unknown> & { signingKey: { n: string; e: string } };
const { n, e } = content.signingKey;
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ format: 'jwk' });

test('new keys can be read, however they are laid out', () => {
  const keys = keysOf(JSON.stringify(content, null, 2));

  expect(keys?.sealKey).toHaveLength(32);
  expect(keys).toMatchObject({ cookieKeys: content['cookieKeys'], signingKey: content.signingKey });
});

for (const [what, text] of [
  ['no JSON', 'secret'],
  ['no object', '[]'],
  ['a key of 31 bytes', JSON.stringify({ ...content, sealKey: randomBytes(31).toString('base64') })],
  ['no keys for cookies', JSON.stringify({ ...content, cookieKeys: [] })],
  ['a key for cookies that could be guessed', JSON.stringify({ ...content, cookieKeys: ['secret'] })],
  ['a signing key of another kind', JSON.stringify({ ...content, signingKey: elliptic })],
  ['a short signing key', JSON.stringify({ ...content, signingKey: short })],
  ['the public part of a signing key', JSON.stringify({ ...content, signingKey: { kty: 'RSA', n, e } })],
] as const) {
  test(`a text that holds ${what} holds no keys`, () => {
    expect(keysOf(text)).toBeUndefined();
  });
}
