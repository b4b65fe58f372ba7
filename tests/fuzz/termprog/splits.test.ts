import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { snapshotOf, startEngine } from '../../harness/terminal-engine.ts';

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('abcdef', '漢字漢', 'a漢b', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '12345678901234567890'),
  },
  fc.constantFrom('\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h', '\x1b[?2027h', '\x1b[?2027l', '\x1b(0', '\x1b(B'),
  {
    weight: 2,
    arbitrary: fc.constantFrom('\x1b[?69h\x1b[3;9s', '\x1b[?69h\x1b[4;6s', '\x1b[?69l', '\x1b[2;4r', '\x1b[r'),
  },
  fc.constantFrom('\r', '\n', '\b', '\t', '\x1b[H', '\x1b[2G', '\x1b[9G', '\x1b[3b', '\x1b[K', '\x1b[44m', '\x1b[?6h'),
  fc.constantFrom('\x1b[?45h', '\x1b[?1045h', '\x1b[20h', '\x1b[1"q', '\x1b[0"q', '\x1bV', '\x1bW'),
);

const splitAt = (text: string, pieces: (bytes: Buffer) => Buffer[]): unknown => {
  const { engine, write } = startEngine({ columns: 12, rows: 5, saveLines: 20 });
  for (const piece of pieces(Buffer.from(text, 'utf8'))) write(piece);
  return snapshotOf(engine);
};

const whole = (text: string): unknown => splitAt(text, (bytes) => [bytes]);
const byByte = (text: string): unknown =>
  splitAt(text, (bytes) => Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)));

test('the screen is the same however the bytes of output are split', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
      const text = parts.join('');
      expect(whole(text)).toEqual(byByte(text));
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test.each([
  ['letters', '12345678\r\x1b[?69h\x1b[4h\x1b[3;9sabcdef', 'abcdef345'],
  ['wide ones', '12345678\r\x1b[?69h\x1b[4h\x1b[3;9s漢字', '漢字34567'],
  ['wide ones across the margin', '12345678\r\x1b[?69h\x1b[4h\x1b[4;9s漢字漢', '漢字漢567'],
])('insert mode shifts nothing for %s left of the margins', (_what, text, expected) => {
  const { write, text: row } = startEngine({ columns: 12, rows: 5 });
  write(text);
  expect(whole(text)).toEqual(byByte(text));
  expect(row(0)).toBe(expected);
});
