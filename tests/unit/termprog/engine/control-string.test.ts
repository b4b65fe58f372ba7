import { expect, test } from 'vitest';
import { ControlString } from '../../../../src/termprog/engine/control-string.ts';

const codesOf = (text: string): Uint32Array => Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);

function collect(
  pieces: readonly string[],
  bounds: Parameters<ControlString['start']>[0] = {},
  string = new ControlString(),
) {
  string.start(bounds);
  for (const piece of pieces) string.put(codesOf(piece), 0, codesOf(piece).length);
  return string.take();
}

test('a text is the sum of its pieces, with any characters', () => {
  expect(collect(['ab', '', 'cÿ'])).toBe('abcÿ');
  expect(collect(['a€', '😀b', '漢\u{10ffff}'])).toBe('a€😀b漢\u{10ffff}');
  const long = 'é😀x'.repeat(50_000);
  expect(collect([long, 'end'])).toBe(`${long}end`);
  expect(collect([])).toBe('');
});

test('characters are counted, not their units: a text is cut or dropped behind the last that is allowed', () => {
  expect(collect(['😀😀', '😀'], { maxCharacters: 3 })).toBe('😀😀😀');
  expect(collect(['😀😀', '😀x'], { maxCharacters: 3 })).toBeUndefined();
  expect(collect(['😀😀', '😀x'], { keptCharacters: 3 })).toBe('😀😀😀');
});

test('a text has no part of the one before it', () => {
  const string = new ControlString();
  expect(collect(['x'.repeat(200_000)], { maxCharacters: 10 }, string)).toBeUndefined();
  expect(collect(['é'.repeat(200_000)], {}, string)).toHaveLength(200_000);
  expect(collect(['ab'], {}, string)).toBe('ab');
});
