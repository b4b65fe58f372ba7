import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelGram, gramsOf, phraseGrams } from '../../../../src/connector/domain/grams.ts';

test('a text has all grams of each phrase in it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
      fc.nat(),
      fc.nat(),
      (text, from, length) => {
        const characters = [...text];
        const start = from % characters.length;
        const phrase = characters.slice(start, start + 1 + (length % characters.length)).join('');

        const grams = gramsOf(['other', text, 'texts']);

        expect(phraseGrams(phrase).every((gram) => grams.has(gram))).toBe(true);
      },
    ),
  );
});

test('a run of characters that only the joined texts have is in no text', () => {
  const grams = gramsOf(['never ab', 'cd again']);

  expect(phraseGrams('bcd').every((gram) => grams.has(gram))).toBe(false);
  expect(phraseGrams('bc').every((gram) => grams.has(gram))).toBe(false);
});

test('the order of the characters counts', () => {
  const grams = gramsOf(['abc']);

  for (const phrase of ['acb', 'cba', 'ba', 'cb']) {
    expect(
      phraseGrams(phrase).every((gram) => grams.has(gram)),
      phrase,
    ).toBe(false);
  }
});

test('a phrase of any length has few grams', () => {
  const phrase = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');

  expect(phraseGrams(phrase).length).toBeLessThanOrEqual(24);
  expect(phraseGrams('a')).toHaveLength(1);
});

test('a channel of an account has a gram of its own, which no text has', () => {
  const places = ['ada', 'bob'].flatMap((account) => ['#room', '#Room', '#ops'].map((channel) => [account, channel]));
  const grams = places.map(([account = '', channel = '']) => channelGram(account, channel));

  expect(new Set(grams).size).toBe(places.length);
  for (const gram of grams) {
    expect(gram).toBeLessThan(0);
    expect(gram).toBeGreaterThanOrEqual(-(2 ** 31));
  }
});
