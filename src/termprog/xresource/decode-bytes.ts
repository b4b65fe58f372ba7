import { isUtf8 } from 'node:buffer';

/**
 * Decodes bytes (one character each, latin1): as UTF-8 if valid, otherwise as Latin-1, which is the X server's own
 * encoding.
 */
export function decodeBytes(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  return isUtf8(raw) ? raw.toString('utf8') : bytes;
}

/** Whether a text determines its bytes: bytes that are not UTF-8 look like those of the text in UTF-8. */
export function isDecoded(bytes: string, text: string): boolean {
  return text !== bytes || !/[\x80-\xff]/.test(bytes);
}

/** Returns the bytes of a text in UTF-8, one character each. */
export function encodeBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
