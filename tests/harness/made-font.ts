import { assemble, padded, u8, u16, u32 } from './sfnt.ts';

/** Units of the em square. */
const EM = 1_024;

/** A rectangle from (left, bottom) to (right, top), as a glyph of TrueType. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

function glyph([left, bottom, right, top]: Box): Buffer {
  const points = Buffer.concat([
    u8(1, 1, 1, 1),
    u16(left, 0, right - left, 0),
    u16(bottom, top - bottom, 0, bottom - top),
  ]);
  return padded(Buffer.concat([u16(1, left, bottom, right, top), u16(3, 0), points]));
}

export interface ColorFont {
  /** Glyphs from 1; the first one is the letter A and has the others as its layers. */
  readonly boxes: readonly Box[];
  /** Colour of each layer: red, green, blue, alpha. */
  readonly colors: readonly (readonly [number, number, number, number])[];
}

/**
 * A TrueType font whose A has layers of colour, by the first version of the table COLR.
 * @see OpenType 1.9, COLR and CPAL
 */
export function makeColorFont({ boxes, colors }: ColorFont): Buffer {
  const glyphs = boxes.map(glyph);
  const count = glyphs.length + 1;
  const offsets = [0, 0];
  for (const { length } of glyphs) offsets.push((offsets.at(-1) ?? 0) + length);
  const tables = {
    COLR: Buffer.concat([
      ...[u16(0, 1), u32(14, 20), u16(colors.length), u16(1, 0, colors.length)],
      ...colors.map((_, layer) => u16(layer + 2, layer)),
    ]),
    CPAL: Buffer.concat([
      ...[u16(0, colors.length, 1, colors.length), u32(14), u16(0)],
      ...colors.map(([red, green, blue, alpha]) => u8(blue, green, red, alpha)),
    ]),
    cmap: Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1, 0x41, 0x41, 1)]),
    glyf: Buffer.concat(glyphs),
    head: Buffer.concat([
      ...[u32(0x10000, 0x10000, 0, 0x5f0f3cf5), u16(0, EM), Buffer.alloc(16), u16(0, 0, EM, EM)],
      u16(0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(EM, -256, 0, EM), Buffer.alloc(22), u16(count)]),
    hmtx: u16(...Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? EM : (boxes[at / 2 - 1.5]?.[0] ?? 0)))),
    loca: u32(...offsets),
    maxp: Buffer.concat([u32(0x10000), u16(count, 4, 1, 0, 0, 1), Buffer.alloc(16)]),
  };
  return assemble(tables);
}
