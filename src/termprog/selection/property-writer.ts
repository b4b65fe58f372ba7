import type { Client, Done } from 'x11';

/** Piece size for a property: a request of the core protocol has at most 256 KiB. */
const PIECE_BYTES = 64 * 1024;

const REPLACE = 0;
const APPEND = 2;

/** A prepared request, sent by a call. */
export type PreparedRequest = (client: Client, done?: Done) => void;

/** Returns the requests that write bytes with format 8 into a property, in order. */
export function propertyWrites(window: number, property: number, type: number, bytes: Uint8Array): PreparedRequest[] {
  const pieces = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES));
  return Array.from({ length: pieces }, (_, index) => {
    const piece = Buffer.from(bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES));
    const mode = index === 0 ? REPLACE : APPEND;
    return (client, done) => client.ChangeProperty(mode, window, property, type, 8, piece, done);
  });
}
