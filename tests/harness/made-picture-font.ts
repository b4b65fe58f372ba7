import { crc32, deflateSync } from 'node:zlib';
import { assemble, u8, u16, u32 } from './sfnt.ts';

/** Units of the em square. */
const EM = 1_024;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

/** A picture of opaque red, with 8 bits for each of four channels; without its pixels the file is damaged. @see PNG 1.2 */
function picture(side: number, hasPixels: boolean): Buffer {
  const row = Buffer.concat([u8(0), ...Array.from({ length: hasPixels ? side : 0 }, () => u8(255, 0, 0, 255))]);
  const pixels = Buffer.concat(Array.from({ length: hasPixels ? side : 0 }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([u32(side, side), u8(8, 6, 0, 0, 0)])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export interface PictureFont {
  /** Pixels of the em square for which the pictures are. */
  size: number;
  /** Pixels of each side of the letter A. */
  side: number;
  /** Whether the picture is whole. */
  hasPixels: boolean;
}

/** A font without outlines whose A is a picture with colours of its own. @see OpenType 1.9, sbix */
export function makePictureFont({ size, side, hasPixels }: PictureFont): Buffer {
  const data = Buffer.concat([u16(0, 0), Buffer.from('png '), picture(side, hasPixels)]);
  // The empty glyph 0, then the A, and the end of both.
  const offsets = [16, 16, 16 + data.length];
  return assemble({
    cmap: Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1, 0x41, 0x41, 1)]),
    head: Buffer.concat([
      ...[u32(0x10000, 0x10000, 0, 0x5f0f3cf5), u16(0, EM), Buffer.alloc(16), u16(0, 0, EM, EM)],
      u16(0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(EM, -256, 0, EM), Buffer.alloc(22), u16(2)]),
    hmtx: u16(EM, 0, EM, 0),
    maxp: Buffer.concat([u32(0x10000), u16(2, 4, 1, 0, 0, 1), Buffer.alloc(16)]),
    sbix: Buffer.concat([u16(1, 1), u32(1, 12), u16(size, 72), u32(...offsets), data]),
  });
}
