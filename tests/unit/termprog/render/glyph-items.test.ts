import { expect, test } from 'vitest';
import { RenderRequests } from '../../../../src/termprog/render/render-requests.ts';
import { RequestBuffer } from '../../../../src/termprog/render/request-buffer.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

/**
 * Returns the request that the server gets for items: the minor code, and the bytes after the fields that all these
 * requests have.
 */
function sent(items: readonly number[]): { kind: number; words: number; items: number[] } {
  let got = Buffer.alloc(0);
  const connection = {
    sendRequests: (bytes: Uint8Array) => {
      got = Buffer.from(bytes);
    },
  } as unknown as XConnection;
  const buffer = new RequestBuffer(connection);
  const drawn = { source: 1, target: 2, glyphSet: 3, maskFormat: undefined };
  new RenderRequests(buffer, 140).compositeGlyphs(drawn, Uint32Array.from(items), items.length);
  buffer.send();
  return { kind: got.readUInt8(1), words: got.readUInt16LE(2), items: [...got.subarray(28)] };
}

/** The words of an item's length and move. */
const head = (count: number, x: number): number[] => [count, 0, 0, 0, x, 0, 0, 0];

test('plain text takes one byte a glyph, and each item is filled up to whole words', () => {
  const items = [...head(5, 9), 65, 66, 67, 68, 255, 0, 0, 0, ...head(1, 7), 70, 0, 0, 0];
  expect(sent([5, 9, 65, 66, 67, 68, 255, 1, 7, 70])).toEqual({ kind: 23, words: 7 + items.length / 4, items });
});

test('other text of the first plane takes two bytes a glyph', () => {
  const items = [...head(3, 9), 65, 0, 0x22, 0x6f, 0xff, 0xff, 0, 0];
  expect(sent([3, 9, 65, 0x6f22, 0xffff])).toEqual({ kind: 24, words: 7 + items.length / 4, items });
});

test('numbers with a variant take four bytes', () => {
  const items = [...head(2, 9), 65, 0, 0, 0, 65, 0, 0x20, 0];
  expect(sent([2, 9, 65, 65 | (1 << 21)])).toEqual({ kind: 25, words: 7 + items.length / 4, items });
});
