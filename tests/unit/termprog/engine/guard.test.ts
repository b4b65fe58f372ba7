import { expect, test } from 'vitest';
import { Guard } from '../../../../src/termprog/engine/guard.ts';
import {
  CONTROL_SEQUENCE_MAX_CHARACTERS,
  CONTROL_STRING_MAX_CHARACTERS,
} from '../../../../src/termprog/engine/limits.ts';

const newGuard = () =>
  new Guard({ columns: 80, rows: 24, widthOf: (codePoint) => (codePoint >= 0x300 && codePoint < 0x370 ? 0 : 1) });
const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');
const filter = (text: string | Buffer): string => newGuard().filter(typeof text === 'string' ? bytesOf(text) : text);

/** Everything at once, byte by byte, and in two parts at each place. */
function everySplit(bytes: Buffer): string[] {
  const joined = (parts: Buffer[]): string => {
    const guard = newGuard();
    return parts.map((part) => guard.filter(part)).join('');
  };
  const inTwo = Array.from({ length: bytes.length }, (_, at) => joined([bytes.subarray(0, at), bytes.subarray(at)]));
  return [joined([bytes]), joined([...bytes].map((byte) => Buffer.from([byte]))), ...inTwo];
}

for (const text of [
  'plain',
  'é Ж € 😀',
  'e\u0301',
  '\x1b[31mred\x1b[m',
  '\x1b[1000000000b',
  '\x1b]2;title\x07after',
  '\x1b]2;title\x1b\\after',
  '\x1bP1$r0m\x1b\\x',
  '\x9b31mred\u009c',
  'a\x1b[3\n1mb',
  'a\x1b[3\x18b',
  'a\x1b(0lqk\x1b(B',
  '\x1b]2;one\x1b]2;two\x07',
]) {
  test(`${JSON.stringify(text)} passes alike however it is split`, () => {
    expect(new Set(everySplit(bytesOf(text))).size).toBe(1);
  });
}

for (const [what, bytes, text] of [
  ['a lone continuation', [0x41, 0x80, 0x42], 'A\ufffdB'],
  ['Latin-1', [0x41, 0xe9, 0x42], 'A\ufffdB'],
  ['a byte that begins nothing', [0xff, 0x43], '\ufffdC'],
  ['a character cut off by another', [0xe2, 0x82, 0x41], '\ufffdA'],
  ['an overlong form', [0xc0, 0xaf], '\ufffd\ufffd'],
  ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x41], '\ufeffA'],
] as const) {
  test(`${what} becomes a replacement for each maximal part`, () => {
    expect(everySplit(Buffer.from(bytes)).every((passed) => passed === text)).toBe(true);
  });
}

for (const [sequence, passed] of [
  ['\x1b[1000000000b', '\x1b[1920b'],
  ['\x1b[1000000000S', '\x1b[80S'],
  ['\x1b[1000000000T', '\x1b[80T'],
  ['\x1b[1000000000L', '\x1b[80L'],
  ['\x1b[1000000000M', '\x1b[80M'],
  ['\x1b[1000000000@', '\x1b[80@'],
  ['\x1b[1000000000P', '\x1b[80P'],
  ['\x1b[1000000000X', '\x1b[80X'],
  ['\x1b[1000000000A', '\x1b[80A'],
  ['\x1b[1000000000I', '\x1b[80I'],
  ['\x1b[1;99999999999999999999H', '\x1b[1;65535H'],
  ['\x1b[38;2;100;200;255m', '\x1b[38;2;100;200;255m'],
  ['\x1b[?1049h', '\x1b[?1049h'],
] as const) {
  test(`${JSON.stringify(sequence)} passes as ${JSON.stringify(passed)}`, () => expect(filter(sequence)).toBe(passed));
}

test('an incomplete sequence is held back until it is complete', () => {
  const guard = newGuard();
  expect(guard.filter(bytesOf('a\x1b[3'))).toBe('a');
  expect(guard.filter(bytesOf('1m'))).toBe('\x1b[31m');
});

test('a sequence or string beyond the bound is dropped whole, and what follows is not', () => {
  expect(filter(`a\x1b[${'1;'.repeat(CONTROL_SEQUENCE_MAX_CHARACTERS)}mb`)).toBe('ab');
  expect(filter(`a\x1b]2;${'x'.repeat(CONTROL_STRING_MAX_CHARACTERS)}\x07b`)).toBe('ab');
  expect(filter(`a\x1b]2;${'x'.repeat(CONTROL_STRING_MAX_CHARACTERS)}\x1b\\b`)).toBe('a\x1b\\b');
});

test('a string that never ends is held in bounded room', () => {
  const guard = newGuard();
  guard.filter(bytesOf('\x1b]2;'));
  for (let part = 0; part < 64; part += 1) expect(guard.filter(Buffer.alloc(65_536, 0x78))).toBe('');
  expect(guard.filter(bytesOf('\x07ok'))).toBe('ok');
});

test('the code points that join one cell are bounded', () => {
  expect(filter(`a${'\u0301'.repeat(200_000)}b${'\u0301'.repeat(3)}`)).toBe(
    `a${'\u0301'.repeat(32)}b${'\u0301'.repeat(3)}`,
  );
});
