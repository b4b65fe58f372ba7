import { isUtf8 } from 'node:buffer';

/** Text of bytes (one character each, latin1): UTF-8 if they are valid, else Latin-1, which is the X server's own encoding. */
export function decodeBytes(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  return isUtf8(raw) ? raw.toString('utf8') : bytes;
}

/** Whether a text says what the bytes were: those that are not UTF-8 can't be told from those of the text in UTF-8. */
export function isDecoded(bytes: string, text: string): boolean {
  return text !== bytes || !/[\x80-\xff]/.test(bytes);
}

/** The bytes of a text in UTF-8, one character each. */
export function encodeBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
