/**
 * Draws the icon of the terminal's windows and writes it where the terminal has it: node scripts/icon-pictures.ts
 * Drawing while the terminal runs would cost each window 7 MB, most of it for code that is compiled for this alone.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const TARGET = 'src/termprog/window/desktop/icon-data.ts';

const LINE_CHARACTERS = 110;

/** Sides of the pictures in pixels; title bars, taskbars and window switchers use the nearest size. */
const SIDES = [16, 32, 48, 64];

/** A colour as 0xrrggbb. */
const PAPER = 0x1f_2733;
const EDGE = 0x70_8299;
const PROMPT = 0x8f_e388;
const CURSOR = 0xf2_f2f2;

/** A shape: how far a point is outside of it, in the units of a picture of 16 by 16; negative inside. */
type Shape = (x: number, y: number) => number;

const roundedSquare =
  (margin: number, radius: number): Shape =>
  (x, y) => {
    const half = 8 - margin - radius;
    const [across, down] = [Math.abs(x - 8) - half, Math.abs(y - 8) - half];
    return Math.hypot(Math.max(across, 0), Math.max(down, 0)) + Math.min(Math.max(across, down), 0) - radius;
  };

/** A line with round ends. */
const stroke =
  (x1: number, y1: number, x2: number, y2: number, width: number): Shape =>
  (x, y) => {
    const [across, down] = [x2 - x1, y2 - y1];
    const along = ((x - x1) * across + (y - y1) * down) / (across * across + down * down);
    const at = Math.min(1, Math.max(0, along));
    return Math.hypot(x - x1 - at * across, y - y1 - at * down) - width / 2;
  };

/** A prompt and a cursor on a dark screen, from the bottom up. */
const LAYERS: readonly (readonly [Shape, number])[] = [
  [roundedSquare(0.5, 2.5), EDGE],
  [roundedSquare(1.5, 1.5), PAPER],
  [stroke(4, 4.5, 7, 7.5, 1.6), PROMPT],
  [stroke(7, 7.5, 4, 10.5, 1.6), PROMPT],
  [stroke(8.4, 11.2, 11.8, 11.2, 1.6), CURSOR],
];

/** The pictures as `_NET_WM_ICON` has them: width, height, and the pixels as 0xaarrggbb, one after the other; EWMH. */
export function drawPictures(): Uint32Array {
  const words = new Uint32Array(SIDES.reduce((sum, side) => sum + 2 + side * side, 0));
  let at = 0;
  for (const side of SIDES) {
    words.set([side, side], at);
    drawPicture(words.subarray(at + 2, at + 2 + side * side), side);
    at += 2 + side * side;
  }
  return words;
}

function drawPicture(pixels: Uint32Array, side: number): void {
  const unit = side / 16;
  for (let index = 0; index < pixels.length; index += 1) {
    const [x, y] = [((index % side) + 0.5) / unit, (Math.floor(index / side) + 0.5) / unit];
    let color = 0;
    let alpha = 0;
    for (const [shape, layer] of LAYERS) {
      // A pixel whose centre is on the edge is covered by half.
      const coverage = Math.min(1, Math.max(0, 0.5 - shape(x, y) * unit));
      if (coverage === 0) continue;
      const before = alpha * (1 - coverage);
      alpha = before + coverage;
      color = mix(color, layer, coverage / alpha);
    }
    pixels[index] = ((Math.round(alpha * 255) << 24) | color) >>> 0;
  }
}

/** @param share of the second colour */
function mix(one: number, other: number, share: number): number {
  const channel = (shift: number): number =>
    Math.round(((one >> shift) & 0xff) * (1 - share) + ((other >> shift) & 0xff) * share) << shift;
  return channel(16) | channel(8) | channel(0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(TARGET, formatSource(Buffer.from(drawPictures().buffer)));
  process.stdout.write(`wrote ${TARGET}\n`);
}

function formatSource(words: Buffer): string {
  const text = deflateRawSync(words, { level: 9 }).toString('base64');
  const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return `// Written by scripts/icon-pictures.ts; do not edit.

/** The icon of a window as \`_NET_WM_ICON\` has it, little-endian, deflated, to the base 64; see window-icon.ts. */
export const ICON = \`
${lines.join('\n')}
\`;
`;
}
