import '../../../../harness/fuzz-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drawnCodePoints,
  type EmojiPresentation,
  kindOf,
} from '../../../../../src/termprog/fonts/routing/cluster-kind.ts';
import { codesOf } from './small-fonts.ts';

const TEXT = '\u{fe0e}';
const EMOJI = '\u{fe0f}';
const JOINER = '\u{200d}';
const PRESENTATIONS = ['unicode', 'text', 'emoji'] as const;
/** Characters that are emoji by themselves. */
const emoji = fc
  .integer({ min: 0xa9, max: 0x1_faff })
  .filter(
    (code) =>
      /\p{Emoji}/u.test(String.fromCodePoint(code)) && !/\p{Regional_Indicator}/u.test(String.fromCodePoint(code)),
  )
  .map((code) => String.fromCodePoint(code));
const presentation = fc.constantFrom<EmojiPresentation>(...PRESENTATIONS);

const kind = (text: string, option: EmojiPresentation = 'unicode') => kindOf(codesOf(text), option);

test.each([
  ['a letter', 'a', 'text'],
  ['an accented letter', 'e\u{301}', 'text'],
  ['a digit', '1', 'text'],
  ['a digit with a selector of text', `1${TEXT}`, 'text'],
  ['a digit with a selector of emoji', `1${EMOJI}`, 'emoji'],
  ['a keycap', `1${EMOJI}\u{20e3}`, 'emoji'],
  ['a keycap without its selector', '1\u{20e3}', 'emojiText'],
  ['a letter with a selector, which has none to choose', `a${EMOJI}`, 'text'],
  ['a Han character', '漢', 'han'],
  ['a Han iteration mark', '々', 'han'],
  ['a Han character with a variation', '葛\u{e0100}', 'han'],
  ['kana', 'ひ', 'text'],
  ['punctuation that Han shares with other scripts', '。', 'text'],
  ['a heart', '❤', 'emojiText'],
  ['a heart with a selector of emoji', `❤${EMOJI}`, 'emoji'],
  ['a grinning face', '😀', 'emoji'],
  ['a grinning face with a selector of text', `😀${TEXT}`, 'emojiText'],
  ['a star that is not an emoji', '★', 'text'],
  ['an index finger with a skin tone', '☝🏽', 'emoji'],
  ['a skin tone alone', '🏽', 'emoji'],
  ['a flag', '🇨🇭', 'emoji'],
  ['half a flag', '🇨', 'emojiText'],
  ['the flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'emoji'],
  ['a family', `👩${JOINER}👩${JOINER}👧`, 'emoji'],
  ['a heart on fire without its selector', `❤${JOINER}🔥`, 'emoji'],
  ['a heart on fire', `❤${EMOJI}${JOINER}🔥`, 'emoji'],
  ['nothing', '', 'text'],
])('%s', (_, text, expected) => {
  expect(kind(text)).toBe(expected);
});

describe('emojiPresentation', () => {
  test('text makes text of every emoji', () => {
    for (const text of ['😀', '☝🏽', '🇨🇭', `❤${JOINER}🔥`]) expect(kind(text, 'text')).toBe('emojiText');
  });

  test('emoji makes emoji of signs, and not of digits, letters and half a flag', () => {
    expect(['❤', '©', '☺'].map((text) => kind(text, 'emoji'))).toEqual(['emoji', 'emoji', 'emoji']);
    expect(['1', '#', 'a', '漢'].map((text) => kind(text, 'emoji'))).toEqual(['text', 'text', 'text', 'han']);
    expect(kind('🇨', 'emoji')).toBe('emojiText');
  });

  test('a variation selector always wins over it', () => {
    fc.assert(
      fc.property(emoji, presentation, (character, option) => {
        expect(kind(character + EMOJI, option)).toBe('emoji');
        expect(kind(character + TEXT, option)).toBe('emojiText');
      }),
    );
  });

  test('the first of several selectors wins', () => {
    expect(kind(`❤${TEXT}${EMOJI}`)).toBe('emojiText');
    expect(kind(`❤${EMOJI}${TEXT}`)).toBe('emoji');
  });

  test('fitEmojiText changes emoji alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), presentation, (character, option) => {
        fc.pre(!/\p{Emoji}/u.test(character));
        expect(kind(character, option)).toBe(kind(character));
      }),
    );
  });

  test('the default is that of Unicode for every emoji', () => {
    fc.assert(
      fc.property(emoji, (character) => {
        expect(kind(character)).toBe(/\p{Emoji_Presentation}/u.test(character) ? 'emoji' : 'emojiText');
      }),
    );
  });
});

test('every emoji that Unicode recommends is an emoji', () => {
  const recommended = /^\p{RGI_Emoji}$/v;
  const single = Array.from({ length: 0x1_fb00 }, (_, code) => String.fromCodePoint(code)).filter((text) =>
    recommended.test(text),
  );
  expect(single.length).toBeGreaterThan(1_000);
  expect(single.filter((text) => kind(text) !== 'emoji')).toEqual([]);
});

test('selectors of a presentation and joiners at the end need no glyph; a font may have one for a single character with a selector', () => {
  expect(drawnCodePoints(codesOf(`❤${EMOJI}${JOINER}🔥`))).toEqual(codesOf(`❤${JOINER}🔥`));
  expect(drawnCodePoints(codesOf(`a${JOINER}`))).toEqual(codesOf('a'));
  expect(drawnCodePoints(codesOf(`❤${EMOJI}`))).toEqual(codesOf(`❤${EMOJI}`));
  expect(drawnCodePoints(codesOf(EMOJI))).toEqual(codesOf(EMOJI));
});
