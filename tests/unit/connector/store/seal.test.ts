import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from '../../../../src/connector/store/seal.ts';

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
