import { expect, test } from 'vitest';
import type { Client } from 'x11';
import { type NumberedGlyph, RenderRequests } from '../../../../src/termprog/render/render-requests.ts';
import { RequestBuffer } from '../../../../src/termprog/render/request-buffer.ts';
import { ServerGlyphs } from '../../../../src/termprog/render/server-glyphs.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

/** Minor code of the request that adds glyphs; RENDER 0.11. */
const ADD_GLYPHS = 20;

const BLANK = 0x20;

const glyphOf = (id: number): NumberedGlyph => ({
  id,
  advance: 9,
  image: { format: 'alpha', width: 1, height: 1, left: 0, top: 0, pixels: Uint8Array.of(255) },
});

test('each set has a blank that advances by a cell, also after a change of the font', () => {
  const { glyphs, buffer, sent } = start();
  for (const width of [9, 12]) {
    glyphs.blankAdvance = width;
    glyphs.add('alpha', glyphOf(0x61));
    glyphs.flush();
    glyphs.clear();
  }
  buffer.send();

  expect(sent).toEqual([
    { id: BLANK, advance: 9, width: 0 },
    { id: 0x61, advance: 9, width: 1 },
    { id: BLANK, advance: 12, width: 0 },
    { id: 0x61, advance: 9, width: 1 },
  ]);
});

/** Glyphs in the server, and the numbers and advances of those that it was sent. */
function start() {
  const sent: { id: number; advance: number; width: number }[] = [];
  const connection = {
    sendRequests: (bytes: Uint8Array) => {
      const words = new Uint32Array(bytes.slice().buffer);
      for (let at = 0; at < words.length; at += (words[at] ?? 0) >>> 16) {
        if ((((words[at] ?? 0) >> 8) & 0xff) !== ADD_GLYPHS) continue;
        const count = words[at + 2] ?? 0;
        for (let glyph = 0; glyph < count; glyph += 1) {
          const sizes = at + 3 + count + 3 * glyph;
          const [width = 0, , advance = 0] = words.subarray(sizes, sizes + 3);
          sent.push({ id: words[at + 3 + glyph] ?? 0, advance: advance & 0xffff, width: width & 0xffff });
        }
      }
    },
  } as unknown as XConnection;
  const buffer = new RequestBuffer(connection);
  let ids = 0;
  const client = { AllocID: () => ++ids } as unknown as Client;
  const formats = { alpha: 1, color: 2, subpixelOrder: 0, ofVisual: new Map<number, number>() };
  const glyphs = new ServerGlyphs(client, new RenderRequests(buffer, 140), formats);
  return { glyphs, buffer, sent };
}
