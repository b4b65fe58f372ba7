import { expect, test } from 'vitest';
import { Graphics } from '../../../../src/termprog/render/graphics.ts';
import { RequestBuffer } from '../../../../src/termprog/render/request-buffer.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

/** Request codes; X11 protocol. */
const CREATE_GC = 55;
const CHANGE_GC = 56;
const POLY_FILL_RECTANGLE = 70;
const NO_OPERATION = 127;

const BATCH_WORDS = 32_768;

test('a rectangle joins no request of a batch that was sent, wherever that ended', () => {
  const { connection, batches } = recordRequests();
  const graphics = new Graphics(connection, 1);
  graphics.fillInk(7, 0, 0, 1, 1);
  // Four contexts, a colour and a rectangle; each request from here on has five words.
  const end = 4 * 4 + 4 + 5;
  const full = Math.floor((BATCH_WORDS - end) / 5);
  for (let request = 0; request < full + end / 5; request += 1) graphics.setStippleOrigin(0, 0);
  graphics.fillInk(7, 5, 5, 1, 1);
  graphics.send();

  expect(batches[1]).toEqual([...Array<number>(end / 5).fill(CHANGE_GC), POLY_FILL_RECTANGLE]);
});

test('a reserved request that is not written has no effect, and other requests stay intact', () => {
  const { connection, batches } = recordRequests();
  const requests = new RequestBuffer(connection);
  const write = (code: number): void => {
    const at = requests.reserve(3);
    requests.words.fill(0, at, at + 3);
    requests.words[at] = code | (3 << 16);
  };
  // Old words in the buffer must not be taken for a request.
  requests.words.fill(0xffff_ffff);
  write(CREATE_GC);
  requests.reserve(9);
  write(CHANGE_GC);
  requests.send();
  requests.send();

  expect(batches).toEqual([[CREATE_GC, NO_OPERATION, CHANGE_GC]]);
});

/** Keeps the codes of what is sent, batch by batch, as a server reads them. */
function recordRequests() {
  const batches: number[][] = [];
  let ids = 100;
  const connection = {
    client: { AllocID: () => ids++ },
    sendRequests: (bytes: Uint8Array, count: number) => {
      const words = new Uint32Array(bytes.slice().buffer);
      const codes: number[] = [];
      for (let at = 0; at < words.length; at += (words[at] ?? 0) >>> 16) codes.push((words[at] ?? 0) & 0xff);
      expect(codes).toHaveLength(count);
      batches.push(codes);
    },
  } as unknown as XConnection;
  return { connection, batches };
}
