import type { XConnection } from './connection.ts';

/** Request code of GetKeyboardMapping; X11 protocol. */
const GET_KEYBOARD_MAPPING = 101;

/** Where the keysyms begin in an answer's bytes, counted from its ninth. */
const KEYSYMS = 24;

/** The keysyms of each key from the first to the last. The library's own parser loops for ever when keys have none. */
export function askKeysyms(
  connection: XConnection,
  { first, last }: { first: number; last: number },
): Promise<number[][]> {
  const count = last - first + 1;
  const request = new Uint8Array([GET_KEYBOARD_MAPPING, 0, 2, 0, first, count, 0, 0]);
  return connection.askPacked('the keyboard mapping', request, (body, keysymsPerKey) =>
    Array.from({ length: count }, (_, key) => readRow(body, KEYSYMS + 4 * keysymsPerKey * key, keysymsPerKey)),
  );
}

function readRow(body: Buffer, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => body.readUInt32LE(start + 4 * index));
}
