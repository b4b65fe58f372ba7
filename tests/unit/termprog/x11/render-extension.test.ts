import { expect, test } from 'vitest';
import { RequestRefusedError } from '../../../../src/termprog/errors.ts';
import { openRenderExtension } from '../../../../src/termprog/x11/render-extension.ts';
import { decodePictureFormats } from '../../../../src/termprog/x11/render-formats.ts';
import type { XConnection } from '../../../../src/termprog/x11/x-connection.ts';

const ALPHA = [0, 0, 0, 0, 0, 0, 0, 255];
const COLOR = [16, 255, 8, 255, 0, 255, 24, 255];

const formatBytes = (id: number, depth: number, layout: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(28);
  bytes.writeUInt32LE(id, 0);
  bytes.writeUInt8(1, 4);
  bytes.writeUInt8(depth, 5);
  for (const [field, value] of layout.entries()) bytes.writeUInt16LE(value, 8 + 2 * field);
  return bytes;
};

const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

test('the formats of an answer are those of coverage, of colours and of each visual', () => {
  const formats = decodePictureFormats(answer());

  expect(formats).toMatchObject({ alpha: 41, color: 40, subpixelOrder: 3 });
  expect([...(formats?.ofVisual ?? [])]).toEqual([
    [33, 42],
    [34, 43],
  ]);
});

test('an answer without a needed format, and one that is cut off, has no formats', () => {
  expect(decodePictureFormats(answer([formatBytes(41, 8, ALPHA)]))).toBeUndefined();
  const whole = answer();
  for (let length = 0; length < whole.length; length += 1) {
    expect(decodePictureFormats(whole.subarray(0, length))).toBeUndefined();
  }
});

/** A server that answers the three questions, in this order. */
function serverWith(answers: readonly (Buffer | Error)[]): XConnection {
  const left = [...answers];
  const askPacked = (_what: string, _request: Uint8Array, read: (body: Buffer, detail: number) => unknown) => {
    const next = left.shift();
    return next instanceof Buffer ? Promise.resolve(read(next, 0)) : Promise.reject(next);
  };
  return { askPacked } as unknown as XConnection;
}

const present = Buffer.from([1, 139, 0, 142]);

test('the extension is there with its code and its formats', async () => {
  const render = await openRenderExtension(serverWith([present, words(0, 11), answer()]));

  expect(render).toMatchObject({ majorOpcode: 139, alpha: 41, color: 40 });
});

for (const [what, answers, reason] of [
  ['no extension', [Buffer.from([0, 0, 0, 0])], 'the X server has no RENDER extension'],
  ['an old version', [present, words(0, 9), answer()], 'the X server has RENDER 0.9; 0.10 is needed'],
  ['too few formats', [present, words(0, 11), answer([])], 'the X server has no pictures of 8 and 32 bits'],
  ['a refusal', [new RequestRefusedError('it is not allowed')], 'it is not allowed'],
] as const) {
  test(`${what} is a reason to do without`, async () => {
    expect(await openRenderExtension(serverWith(answers))).toEqual({ reason });
  });
}

/** An answer from its ninth byte on: two formats, one screen, and two visuals of one depth. */
function answer(formats = [formatBytes(40, 32, COLOR), formatBytes(41, 8, ALPHA)]): Buffer {
  return Buffer.concat([
    words(formats.length, 1, 1, 2, 1, 0),
    ...formats,
    words(1, 40),
    words(24 | (2 << 16), 0),
    words(33, 42, 34, 43),
    words(3),
  ]);
}
