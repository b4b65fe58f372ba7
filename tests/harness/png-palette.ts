import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;
/** Fields of a PNG header: eight bits a pixel, which are an index of a palette. */
const DEPTH = 8;
const INDEXED = 3;

/**
 * The same picture by a palette, in a fraction of the bytes: of its colours the most frequent ones; a pixel of another colour
 * gets the nearest of those.
 */
export function withPalette(file: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(file);
  const pixels = Array.from({ length: width * height }, (_, pixel) => data.readUInt32BE(pixel * 4) >>> 8);
  const palette = mostFrequent(pixels);
  const index = nearestOf(palette);
  // Each row begins with its filter: 0, no filter.
  const rows = Buffer.alloc((width + 1) * height);
  for (const [pixel, rgb] of pixels.entries()) rows[pixel + Math.floor(pixel / width) + 1] = index(rgb);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([DEPTH, INDEXED], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function mostFrequent(pixels: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const rgb of pixels) counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, COLOURS_MAX)
    .map(([rgb]) => rgb);
}

function nearestOf(palette: readonly number[]): (rgb: number) => number {
  const known = new Map(palette.map((rgb, index) => [rgb, index]));
  const distance = (one: number, other: number) =>
    channels(one).reduce((sum, value, at) => sum + (value - (channels(other)[at] ?? 0)) ** 2, 0);
  return (rgb) => {
    const found = known.get(rgb);
    if (found !== undefined) return found;
    const distances = palette.map((colour) => distance(rgb, colour));
    const nearest = distances.indexOf(Math.min(...distances));
    known.set(rgb, nearest);
    return nearest;
  };
}

const channels = (rgb: number): number[] => [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
