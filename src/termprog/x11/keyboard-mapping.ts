import type { XConnection } from './x-connection.ts';

/** Request code of GetKeyboardMapping; X11 protocol. */
const GET_KEYBOARD_MAPPING = 101;

/** Offset of the keysyms in an answer's bytes, counted from its ninth. */
const KEYSYMS = 24;

/**
 * Requests the keysyms of each key from the first to the last. The library's own parser loops forever when keys have no
 * keysyms.
 */
export function askKeysyms(
  connection: XConnection,
  { first, last }: { first: number; last: number },
): Promise<number[][]> {
  const count = last - first + 1;
  const request = new Uint8Array([GET_KEYBOARD_MAPPING, 0, 2, 0, first, count, 0, 0]);
  return connection.askPacked('the keyboard mapping', request, (body, keysymsPerKey) => {
    const keysyms = readWords(body, KEYSYMS, count * keysymsPerKey);
    return Array.from({ length: count }, (_, key) =>
      Array.from(keysyms.subarray(keysymsPerKey * key, keysymsPerKey * (key + 1))),
    );
  });
}

/**
 * Copies all words at once: read one by one, a keyboard's thousands of keysyms would add a millisecond to each start.
 */
function readWords(body: Buffer, start: number, count: number): Uint32Array {
  const words = new Uint32Array(count);
  const bytes = body.subarray(start, start + words.byteLength);
  if (bytes.length < words.byteLength) throw new RangeError('the answer is too short');
  new Uint8Array(words.buffer).set(bytes);
  return words;
}
