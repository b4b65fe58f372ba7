import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText, textBudgetBytes, textProblem } from '../../../../src/connector/domain/message-text.ts';

for (const [why, text, problem] of [
  ['nothing', '', 'empty'],
  ['blanks only', '  ', 'empty'],
  ['one character', 'x', undefined],
  ['400 characters', 'x'.repeat(400), undefined],
  ['400 characters of four bytes', '🙂'.repeat(400), undefined],
  ['401 characters', 'x'.repeat(401), 'too_long'],
  ['a line break', 'a\nb', 'not_one_line'],
  ['a carriage return', 'a\rQUIT', 'not_one_line'],
  ['NUL', 'a\u0000', 'not_one_line'],
  ['a formatting code', '\u0002bold', 'not_one_line'],
  ['a line separator', 'a\u2028b', 'not_one_line'],
  ['half a character', 'a\ud83d', 'not_one_line'],
] as const) {
  test(`text of ${why} is ${problem ?? 'accepted'}`, () => {
    expect(textProblem(text)).toBe(problem);
  });
}

test('the pieces of a text add up to the text, and each is non-empty and within the budget', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
      fc.integer({ min: 24, max: 400 }),
      (text, budget) => {
        const pieces = splitText(text, budget);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(budget);
        expect(pieces.every((piece) => piece !== '')).toBe(true);
      },
    ),
  );
});

test('a character of several code points is not torn apart', () => {
  const family = '👩‍👩‍👧‍👦';

  const pieces = splitText(family.repeat(20), 310);

  expect(pieces.every((piece) => piece.length % family.length === 0)).toBe(true);
});

test('a character larger than a line is split all the same', () => {
  const tower = `a${'\u0301'.repeat(300)}`;

  expect(splitText(tower, 100).join('')).toBe(tower);
});

test('a text is split at a blank where one is near the end of a line', () => {
  expect(
    splitText(`${'word '.repeat(60)}end`, 100).every((piece) => piece.endsWith(' ') || piece.endsWith('end')),
  ).toBe(true);
});

test('a line with the longest prefix is 512 bytes at most', () => {
  const [nick, channel] = ['n'.repeat(31), `#${'c'.repeat(49)}`];
  const line = `:${nick}!${'u'.repeat(11)}@${'h'.repeat(64)} PRIVMSG ${channel} :${'x'.repeat(textBudgetBytes(nick, channel))}\r\n`;

  expect(Buffer.byteLength(line)).toBe(512);
});

test.each([300, 400, 500])(
  'a server that gives a nick of %i bytes does not make lines of single characters',
  (bytes) => {
    const budget = textBudgetBytes('n'.repeat(bytes), '#room');

    expect(splitText('hello world', budget)).toEqual(['hello world']);
    expect(splitText('x'.repeat(400), budget).length).toBeLessThanOrEqual(4);
  },
);
