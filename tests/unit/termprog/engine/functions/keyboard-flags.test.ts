import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

for (const [what, sent, expected] of [
  ['none at first', '', 0],
  ['set', '\x1b[=5u', 5],
  ['set, with nothing said of how', '\x1b[=5u\x1b[=2u', 2],
  ['added', '\x1b[=5u\x1b[=2;2u', 7],
  ['taken away', '\x1b[=7u\x1b[=5;3u', 2],
  ['unchanged by an unknown way', '\x1b[=5u\x1b[=2;4u', 5],
  ['only those there are', '\x1b[=65535u', 31],
  ['pushed', '\x1b[=1u\x1b[>5u', 5],
  ['popped', '\x1b[=1u\x1b[>5u\x1b[>7u\x1b[<u', 5],
  ['popped twice', '\x1b[=1u\x1b[>5u\x1b[>7u\x1b[<2u', 1],
  ['none when more are popped than there are', '\x1b[=1u\x1b[>5u\x1b[<3u', 0],
  ['their own on the alternate screen', '\x1b[=1u\x1b[?1049h', 0],
  ['those from before on the first one', '\x1b[=1u\x1b[?1049h\x1b[=4u\x1b[?1049l', 1],
  ['none after a reset', '\x1b[=1u\x1b[>5u\x1bc', 0],
] as const) {
  test(`keyboard flags are ${what}`, () => {
    const { write, told } = startEngine();
    write(`${sent}\x1b[?u`);
    expect(told.replies).toBe(`\x1b[?${expected}u`);
  });
}

test('the last sixteen of many saved flags stay', () => {
  const { write, told } = startEngine();
  for (let number = 1; number <= 40; number += 1) write(`\x1b[>${number % 32}u`);
  write('\x1b[<16u\x1b[?u\x1b[<u\x1b[?u');
  expect(told.replies).toBe('\x1b[?24u\x1b[?0u');
});
