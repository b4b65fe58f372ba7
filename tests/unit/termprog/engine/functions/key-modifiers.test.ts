import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

function after(output: string) {
  const { engine, told } = startEngine();
  engine.write(Buffer.from(output));
  return { keys: engine.modifiedKeys, replies: told.replies, modes: engine.modes };
}
const INITIAL = { cursorKeys: 2, functionKeys: 2, keypadKeys: 0, otherKeys: 0, formatOtherKeys: 0 };

for (const [output, keys] of [
  ['', {}],
  ['\x1b[>4;2m', { otherKeys: 2 }],
  ['\x1b[>1;3m\x1b[>2;0m', { cursorKeys: 3, functionKeys: 0 }],
  ['\x1b[>4;2m\x1b[>4m', {}],
  ['\x1b[>4;1m\x1b[>1;1m\x1b[>m', {}],
  ['\x1b[>4;9m\x1b[>9;1m', {}],
  ['\x1b[>n', { functionKeys: -1 }],
  ['\x1b[>1n\x1b[>4n', { cursorKeys: -1, otherKeys: -1 }],
  ['\x1b[>4;1f', { formatOtherKeys: 1 }],
  ['\x1b[>4;1f\x1b[>4f', {}],
  ['\x1b[>4;1f\x1b[>f', {}],
  ['\x1b[>4;2f\x1b[>1;1f', {}],
  ['\x1b[>4;2m\x1b[>4;1f\x1b[!p', { formatOtherKeys: 1 }],
  ['\x1b[>4;2m\x1b[>4;1f\x1bc', {}],
] as const) {
  test(`${JSON.stringify(output)} changes how keys report modifiers`, () =>
    expect(after(output).keys).toEqual({ ...INITIAL, ...keys }));
}

test('questions are answered by what would set the same', () => {
  expect(after('\x1b[>4;2m\x1b[>1n\x1b[?4m\x1b[?1m\x1b[?4g').replies).toBe('\x1b[>4;2m\x1b[>1n\x1b[>4;0f');
});

test('queries of modifiers that do not exist get no answer', () => {
  expect(after('\x1b[?9m\x1b[?0m\x1b[?1g').replies).toBe('');
});

test('modes of the menu are reported by their numbers', () => {
  expect(after('\x1b[?67$p\x1b[?1034$p\x1b[?1035$p\x1b[?1036$p\x1b[?1039$p').replies).toBe(
    '\x1b[?67;2$y\x1b[?1034;1$y\x1b[?1035;1$y\x1b[?1036;2$y\x1b[?1039;1$y',
  );
});
