import { isUtf8 } from 'node:buffer';

const QUESTION_MARK = 0x3f;

/**
 * UTF-8: from here on bytes are continuations; then come the first bytes, of which those of U+0080 to U+00FF are the
 * lowest.
 */
const FIRST_CONTINUATION = 0x80;
const FIRST_LEAD = 0xc0;
const LAST_LEAD_OF_LATIN1 = 0xc3;

/** Returns text as UTF-8; malformed bytes become U+FFFD. */
export function utf8Of(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString('utf8'));
}

/**
 * Converts UTF-8 to Latin-1, the encoding of STRING and of cut buffers; other characters become question marks. ICCCM
 * 2.6.2
 */
export function latin1Of(utf8: Uint8Array): Buffer {
  const source = utf8Of(utf8);
  const latin1 = Buffer.allocUnsafe(source.length);
  let end = 0;
  for (let at = 0; at < source.length; at += 1) {
    const byte = source[at] as number;
    if (byte < FIRST_CONTINUATION) latin1[end++] = byte;
    else if (byte > LAST_LEAD_OF_LATIN1) latin1[end++] = QUESTION_MARK;
    else if (byte >= FIRST_LEAD) latin1[end++] = ((byte & 0x03) << 6) | ((source[at + 1] as number) & 0x3f);
    // The remaining bytes are continuations of a character.
  }
  return latin1.subarray(0, end);
}

/** Converts Latin-1 to UTF-8. */
export function utf8OfLatin1(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8');
}

/** Whether the UTF-8 contains only characters of Latin-1. */
export function isLatin1(utf8: Uint8Array): boolean {
  for (const byte of utf8) if (byte > LAST_LEAD_OF_LATIN1) return false;
  return true;
}
