import { expect, test } from 'vitest';
import type { Client } from 'x11';
import { ColorGlyphs } from '../../../../src/termprog/render/color-glyphs.ts';
import { RenderRequests } from '../../../../src/termprog/render/render-requests.ts';
import { RequestBuffer } from '../../../../src/termprog/render/request-buffer.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

/** Code of the request that makes a pixmap; X11 protocol. */
const CREATE_PIXMAP = 53;

test('after a change to smaller text, places for its pictures are as small', () => {
  const { glyphs, sheets, add } = start();
  add(100);
  glyphs.clear();
  add(10);
  add(8);

  expect(sheets).toEqual(['1600x100', '160x160']);
});

test('sheets are as wide as servers make pixmaps, also for very wide cells', () => {
  const { sheets, add } = start();
  add(4_096, 64);
  add(2_100, 20);

  expect(sheets).toEqual(['28672x64']);
});

test('numbers of what was freed are used again', () => {
  const { glyphs, sheets, add, usedIds } = start();
  add(10);
  const before = usedIds();
  for (let round = 0; round < 5; round += 1) {
    glyphs.clear();
    add(10);
  }

  expect(sheets).toHaveLength(6);
  expect(usedIds()).toBe(before);
});

/** Glyphs with own colours, and the sizes of the pixmaps that they requested. */
function start() {
  const sheets: string[] = [];
  const connection = {
    sendRequests: (sent: Uint8Array) => {
      const bytes = Buffer.from(sent);
      for (let at = 0; at < bytes.length; at += 4 * bytes.readUInt16LE(at + 2)) {
        if (bytes[at] === CREATE_PIXMAP) sheets.push(`${bytes.readUInt16LE(at + 12)}x${bytes.readUInt16LE(at + 14)}`);
      }
    },
  } as unknown as XConnection;
  const buffer = new RequestBuffer(connection);
  let ids = 0;
  const client = { AllocID: () => ++ids } as unknown as Client;
  const glyphs = new ColorGlyphs(client, buffer, new RenderRequests(buffer, 140), { format: 1, window: 2 });
  const add = (width: number, height = width): void => {
    const size = { width, height };
    glyphs.add({ ...size, pixels: new Uint8Array(4 * width * height) }, size);
    buffer.send();
  };
  return { glyphs, sheets, add, usedIds: () => ids };
}
