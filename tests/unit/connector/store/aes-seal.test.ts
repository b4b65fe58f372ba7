import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';

const seal = createSeal(randomBytes(32));

test('a sealed text opens in its own place', () => {
  expect(seal.open(seal.close('a secret ü', 'place'), 'place')).toBe('a secret ü');
});

test('equal texts are sealed differently', () => {
  expect(seal.close('same', 'place')).not.toBe(seal.close('same', 'place'));
});

test('another place, another key, or a changed byte does not open', () => {
  const sealed = seal.close('a secret', 'place');
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;

  expect(() => seal.open(sealed, 'elsewhere')).toThrow();
  expect(() => createSeal(randomBytes(32)).open(sealed, 'place')).toThrow();
  expect(() => seal.open(changed, 'place')).toThrow();
  expect(() => seal.open('', 'place')).toThrow();
});

test('a text under an earlier key opens, is renewed with the newest once, and then opens without the earlier one', () => {
  const [before, newest] = [randomBytes(32), randomBytes(32)];
  const sealed = createSeal(before).close('a secret', 'place');
  const rotated = createSeal(newest, [before]);

  expect(rotated.open(sealed, 'place')).toBe('a secret');
  const renewed = rotated.renew(sealed, 'place') ?? '';
  expect(rotated.renew(renewed, 'place')).toBeUndefined();
  expect(createSeal(newest).open(renewed, 'place')).toBe('a secret');
  expect(() => rotated.renew(sealed, 'elsewhere')).toThrow();
});

test('new texts are sealed with the newest key', () => {
  const [before, newest] = [randomBytes(32), randomBytes(32)];
  const sealed = createSeal(newest, [before]).close('a secret', 'place');

  expect(createSeal(newest).open(sealed, 'place')).toBe('a secret');
});
