import { expect, test } from 'vitest';
import { Utf8Decoder } from '../../../../src/termprog/engine/control-parser.ts';

for (const [what, bytes, text] of [
  ['ASCII', [0x41, 0x7f, 0x00], 'A\x7f\0'],
  ['characters of two, three and four bytes', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], 'é€😀'],
  ['a control character of C1', [0xc2, 0x9b], '\u009b'],
  ['a lone continuation', [0x41, 0x80, 0x42], 'A\ufffdB'],
  ['Latin-1', [0x41, 0xe9, 0x42], 'A\ufffdB'],
  ['a byte that begins nothing', [0xff, 0x43], '\ufffdC'],
  ['a character cut off by another', [0xe2, 0x82, 0x41], '\ufffdA'],
  ['a character cut off by the beginning of another', [0xe2, 0x82, 0xc3, 0xa9], '\ufffdé'],
  ['an overlong form', [0xc0, 0xaf, 0xe0, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd\ufffd'],
  ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x41], '\ufeffA'],
] as const) {
  test(`${what} is decoded alike however it is split`, () => {
    // A character that is cut off at the very end waits for the rest: an ASCII byte shows it.
    const closed = Uint8Array.of(...bytes, 0x2e);
    expect(new Set(everySplit(closed))).toEqual(new Set([`${text}.`]));
  });
}

test('every code point comes back', () => {
  const points = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
  const target = new Uint32Array(4 * points.length + 1);
  const bytes = Buffer.concat(
    Array.from({ length: Math.ceil(points.length / 4096) }, (_, part) =>
      Buffer.from(String.fromCodePoint(...points.slice(part * 4096, (part + 1) * 4096)), 'utf8'),
    ),
  );
  const length = new Utf8Decoder().decode(bytes, 0, bytes.length, target);
  expect(length).toBe(points.length);
  expect(points.every((code, index) => target[index] === code)).toBe(true);
});

function decode(parts: readonly Uint8Array[]): string {
  const decoder = new Utf8Decoder();
  return parts
    .map((part) => {
      const target = new Uint32Array(part.length + 1);
      const length = decoder.decode(part, 0, part.length, target);
      return String.fromCodePoint(...target.subarray(0, length));
    })
    .join('');
}

/** Decodes the bytes at once, byte by byte, and in two parts at each place. */
function everySplit(bytes: Uint8Array): string[] {
  const inTwo = Array.from({ length: bytes.length }, (_, at) => decode([bytes.subarray(0, at), bytes.subarray(at)]));
  return [decode([bytes]), decode([...bytes].map((byte) => Uint8Array.of(byte))), ...inTwo];
}
