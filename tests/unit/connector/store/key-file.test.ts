import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { keysAfter, keysOf, newKeys, textOf } from '../../../../src/connector/store/key-file.ts';

const content = JSON.parse(textOf(newKeys())) as Record<string, unknown> & { signingKey: { n: string; e: string } };
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

test('keys that follow others still open what those sealed, and everything else is new', () => {
  const first = newKeys();
  const second = keysAfter(first);
  const third = keysAfter(second);

  expect(third.earlierSealKeys).toEqual([second.sealKey, first.sealKey]);
  expect(third.cookieKeys).toHaveLength(2);
  expect(third.cookieKeys[1]).toBe(second.cookieKeys[0]);
  expect(third.signingKey['n']).not.toBe(second.signingKey['n']);
  expect(keysOf(textOf(third))).toEqual(third);
});

test('a file of an earlier version, without earlier keys, is read', () => {
  expect(keysOf(JSON.stringify(content))?.earlierSealKeys).toEqual([]);
});

test('a file with an invalid earlier key holds no keys', () => {
  expect(keysOf(JSON.stringify({ ...content, earlierSealKeys: ['x'] }))).toBeUndefined();
});
