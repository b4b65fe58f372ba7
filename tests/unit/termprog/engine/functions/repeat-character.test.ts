import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

for (const [what, sent, expected] of [
  ['the last character is repeated', 'ab\x1b[3b', 'abbbb'],
  ['once, when nothing is said of how often', 'a\x1b[b', 'aa'],
  ['a wide one, too', '漢\x1b[2b', '漢漢漢'],
  ['of a character with a mark, the character', 'e\u0301\x1b[2b', 'e\u0301ee'],
  ['also when the mark came later', ['e', '\u0301', '\x1b[2b'], 'e\u0301ee'],
  ['a line', '\x1b(0q\x1b[2b', '───'],
  ['nothing behind another control function', 'a\x1b[m\x1b[2b', 'a'],
  ['nothing behind a repetition', 'a\x1b[b\x1b[2b', 'aa'],
  ['nothing when there is only a mark', 'a\x1b[m\u0301\x1b[2b', 'a\u0301'],
] as const) {
  test(`${what}`, () => {
    const { write, text } = startEngine({ columns: 20, rows: 2 });
    for (const part of [sent].flat()) write(part);
    expect(text(0)).toBe(expected);
  });
}
