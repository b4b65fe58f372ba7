import { isUtf8 } from 'node:buffer';

/** Text as UTF-8; what is not UTF-8 becomes U+FFFD. */
export function utf8Of(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString('utf8'));
}

/** UTF-8 as Latin-1, the encoding of STRING and of cut buffers; other characters become question marks. ICCCM 2.6.2 */
export function latin1Of(utf8: Uint8Array): Buffer {
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8');
  return Buffer.from(text.replace(/[^\0-\xff]/gu, '?'), 'latin1');
}

/** Latin-1 as UTF-8. */
export function utf8OfLatin1(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8');
}

/** Whether UTF-8 has only characters of Latin-1. */
export function isLatin1(utf8: Uint8Array): boolean {
  // Lead bytes of U+0100 and above.
  return !utf8.some((byte) => byte > 0xc3);
}
