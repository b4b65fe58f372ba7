import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellMetrics, cellMetricsOf } from '../../../../src/termprog/fonts/cell-metrics.ts';
import { readFontReply } from '../../../../src/termprog/fonts/font-reply.ts';
import { fontMetricsOf } from '../../../../src/termprog/menus/text/font-metrics.ts';

const RUNS = 2_000;

interface Reply {
  rows?: [first: number, last: number];
  columns?: [first: number, last: number];
  /** Least left bearing, most right bearing, width. */
  bounds?: [left: number, right: number, width: number];
  /** Least width; that of the bounds where it is not given. */
  narrowest?: number;
  height?: [ascent: number, descent: number];
  properties?: [name: number, value: number][];
  /** Bearings, width, ascent, descent, attributes. */
  characters?: number[][];
}

const PRESENT = [0, 6, 6, 9, 0, 0];
const MISSING = [0, 0, 0, 0, 0, 7];

test('a character is there when it has any metrics; attributes are none', () => {
  const font = cellsOf(
    replyOf({ columns: [64, 68], characters: [PRESENT, MISSING, [0, 0, 6, 0, 0, 0], [0, 0, 0, 0, -1, 0], MISSING] }),
  );

  expect([63, 64, 65, 66, 67, 68, 69].map((code) => font?.has(code))).toEqual([
    ...[false, true, false, true, true, false, false],
  ]);
});

test('rows and columns are the high and the low byte of a code point', () => {
  const font = cellsOf(
    replyOf({ rows: [0x20, 0x21], columns: [0x10, 0x11], characters: [PRESENT, MISSING, MISSING, PRESENT] }),
  );

  expect([0x2010, 0x2011, 0x2110, 0x2111].map((code) => font?.has(code))).toEqual([true, false, false, true]);
  expect([0x10, 0x11, 0x2012, 0x12010, -1, 0x2010 + 0.5].map((code) => font?.has(code))).toEqual(
    new Array(6).fill(false).with(5, true),
  );
});

test('a font whose answer lists no characters has all of its range', () => {
  const font = cellsOf(replyOf({ rows: [0, 1], columns: [32, 126] }));

  expect([31, 32, 126, 127, 0x120, 0x17e, 0x17f].map((code) => font?.has(code))).toEqual([
    ...[false, true, true, false, true, true, false],
  ]);
});

test('a font without rows may number its characters in 16 bits', () => {
  const font = cellsOf(replyOf({ columns: [0x2500, 0x2501], characters: [MISSING, PRESENT] }));

  expect([0x2500, 0x2501].map((code) => font?.has(code))).toEqual([false, true]);
});

test('the cell is as wide as the widest character', () => {
  expect(cellsOf(replyOf({ bounds: [0, 5, 7], height: [9, 3] }))).toMatchObject({
    cellWidth: 7,
    ascent: 9,
    descent: 3,
    overhangs: false,
  });
});

for (const [where, bounds] of [
  ['left', [-1, 6, 6]],
  ['right', [0, 7, 6]],
] as const) {
  test(`a font with ink ${where} of its cell overhangs`, () => {
    expect(cellsOf(replyOf({ bounds: [...bounds] }))?.overhangs).toBe(true);
  });
}

test('the atom of the full name is the value of the property FONT', () => {
  const properties: [number, number][] = [
    [61, 1],
    [18, 4711],
  ];

  expect(readFontReply(replyOf({ properties, characters: [PRESENT] }))?.fullNameAtom).toBe(4711);
  expect(readFontReply(replyOf({ characters: [PRESENT] }))?.fullNameAtom).toBeUndefined();
});

for (const [why, reply] of [
  ['nothing', Buffer.alloc(0)],
  ['less than the fixed part', replyOf({}).subarray(0, 51)],
  ['fewer characters than it says', replyOf({ characters: [PRESENT, PRESENT] }).subarray(0, -1)],
  ['fewer properties than it says', replyOf({ properties: [[18, 1]] }).subarray(0, -1)],
  ['no width', replyOf({ bounds: [0, 0, 0] })],
  ['a negative width', replyOf({ bounds: [0, 0, -6] })],
  ['no height', replyOf({ height: [2, -2] })],
  ['its last column before its first', replyOf({ columns: [3, 2] })],
  ['its last row before its first', replyOf({ rows: [3, 2] })],
] as const) {
  test(`an answer with ${why} is refused`, () => {
    expect(cellsOf(reply)).toBeUndefined();
  });
}

test('an answer in the middle of a buffer is read to its own end', () => {
  const reply = replyOf({ columns: [65, 66], characters: [PRESENT] });
  const around = Buffer.alloc(reply.length + 64, 0xff);
  reply.copy(around, 3);

  const font = cellsOf(around.subarray(3, 3 + reply.length));

  expect([65, 66].map((code) => font?.has(code))).toEqual([true, false]);
});

test('the decoder throws for no bytes', () => {
  const anyBytes = fc.uint8Array({ maxLength: 400 });
  const spoiled = fc
    .tuple(
      fc.array(fc.constantFrom(PRESENT, MISSING), { maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(255), fc.nat(0xffff)), { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 6 }),
      fc.nat(600),
    )
    .map(([characters, properties, changes, length]) => {
      const reply = replyOf({ characters, properties });
      for (const [place, value] of changes) reply[place % reply.length] = value;
      return reply.subarray(0, Math.max(0, reply.length - (length > 500 ? length - 500 : 0)));
    });

  fc.assert(
    fc.property(fc.oneof(anyBytes, spoiled), fc.integer({ min: -1, max: 0x110000 }), (bytes, codePoint) => {
      const font = cellsOf(bytes);
      if (font === undefined) return;
      expect(font.cellWidth).toBeGreaterThan(0);
      expect(font.ascent + font.descent).toBeGreaterThan(0);
      expect(typeof font.has(codePoint)).toBe('boolean');
    }),
    { numRuns: RUNS },
  );
});

test('a font of characters one or two cells wide has the cell of the narrow ones', () => {
  const characters = [PRESENT, MISSING, [0, 12, 12, 9, 0, 0]];
  const font = cellsOf(replyOf({ columns: [64, 66], bounds: [0, 12, 12], narrowest: 6, characters }));

  expect(font).toMatchObject({ cellWidth: 6, hasWide: true, overhangs: false, widthOf: undefined });
});

test('a font of any widths has the cell of the widest character, and reports the width of each', () => {
  const characters = [PRESENT, [0, 9, 9, 9, 0, 0], [0, 12, 12, 9, 0, 0]];
  const font = cellsOf(replyOf({ columns: [64, 66], bounds: [0, 12, 12], narrowest: 6, characters }));

  expect(font).toMatchObject({ cellWidth: 12, hasWide: false });
  expect([63, 64, 65, 66, 67, 0x140].map((code) => font?.widthOf?.(code))).toEqual([0, 6, 9, 12, 0, 0]);
});

test('widths of a font with rows are found by row and column', () => {
  const rows: [number, number] = [0x30, 0x31];
  const characters = [PRESENT, [0, 9, 9, 9, 0, 0], [0, 7, 7, 9, 0, 0], [0, 12, 12, 9, 0, 0]];
  const font = cellsOf(replyOf({ rows, columns: [1, 2], bounds: [0, 12, 12], narrowest: 6, characters }));

  expect([0x3001, 0x3002, 0x3101, 0x3102, 0x3003, 0x3201].map((code) => font?.widthOf?.(code))).toEqual([
    6, 9, 7, 12, 0, 0,
  ]);
});

test('a font whose characters all fill their cells reports no metrics of single characters', () => {
  expect(cellsOf(replyOf({}))?.hasCharacterMetrics).toBe(false);
  expect(cellsOf(replyOf({ columns: [64, 64], characters: [PRESENT] }))?.hasCharacterMetrics).toBe(true);
});

test('labels and text in cells find the same characters in a font', () => {
  const rows: [number, number] = [0x30, 0x31];
  const bytes = replyOf({ rows, columns: [1, 2], characters: [PRESENT, MISSING, [0, 0, 0, 4, 0, 0], PRESENT] });
  const reply = readFontReply(bytes);
  const label = reply && fontMetricsOf(reply);

  for (const code of [0x3001, 0x3002, 0x3101, 0x3102, 0x3003, 0x3201, 1]) {
    expect([code, label?.widthOf(code) !== undefined]).toEqual([code, cellsOf(bytes)?.has(code)]);
  }
});

/** An answer to QueryFont from its ninth byte on. */
function replyOf({
  rows = [0, 0],
  columns = [0, 255],
  bounds = [0, 6, 6],
  narrowest = bounds[2],
  height = [11, 2],
  properties = [],
  characters = [],
}: Reply): Buffer {
  const bytes = Buffer.alloc(52 + properties.length * 8 + characters.length * 12);
  bytes.writeInt16LE(bounds[0], 0);
  bytes.writeInt16LE(narrowest, 4);
  bytes.writeInt16LE(bounds[1], 18);
  bytes.writeInt16LE(bounds[2], 20);
  bytes.writeUInt16LE(columns[0], 32);
  bytes.writeUInt16LE(columns[1], 34);
  bytes.writeUInt16LE(properties.length, 38);
  bytes[41] = rows[0];
  bytes[42] = rows[1];
  bytes.writeInt16LE(height[0], 44);
  bytes.writeInt16LE(height[1], 46);
  bytes.writeUInt32LE(characters.length, 48);
  for (const [index, [name, value]] of properties.entries()) {
    bytes.writeUInt32LE(name, 52 + index * 8);
    bytes.writeUInt32LE(value, 56 + index * 8);
  }
  const start = 52 + properties.length * 8;
  for (const [index, values] of characters.entries()) {
    for (const [place, value] of values.entries()) bytes.writeInt16LE(value, start + index * 12 + place * 2);
  }
  return bytes;
}

function cellsOf(bytes: Uint8Array): CellMetrics | undefined {
  const reply = readFontReply(bytes);
  return reply && cellMetricsOf(reply);
}
