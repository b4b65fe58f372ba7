import { isUtf8 } from 'node:buffer';

const QUESTION_MARK = 0x3f;

/** UTF-8: bytes from here on follow a first one; first bytes begin behind them, and those of U+0080 to U+00FF come first. */
const FIRST_CONTINUATION = 0x80;
const FIRST_LEAD = 0xc0;
const LAST_LEAD_OF_LATIN1 = 0xc3;

/** Text as UTF-8; what is not UTF-8 becomes U+FFFD. */
export function utf8Of(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString('utf8'));
}

/** UTF-8 as Latin-1, the encoding of STRING and of cut buffers; other characters become question marks. ICCCM 2.6.2 */
export function latin1Of(utf8: Uint8Array): Buffer {
  const source = utf8Of(utf8);
  const latin1 = Buffer.allocUnsafe(source.length);
  let end = 0;
  for (let at = 0; at < source.length; at += 1) {
    const byte = source[at] as number;
    if (byte < FIRST_CONTINUATION) latin1[end++] = byte;
    else if (byte > LAST_LEAD_OF_LATIN1) latin1[end++] = QUESTION_MARK;
    else if (byte >= FIRST_LEAD) latin1[end++] = ((byte & 0x03) << 6) | ((source[at + 1] as number) & 0x3f);
    // What is left are the other bytes of a character.
  }
  return latin1.subarray(0, end);
}

/** Latin-1 as UTF-8. */
export function utf8OfLatin1(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8');
}

/** Whether UTF-8 has only characters of Latin-1. */
export function isLatin1(utf8: Uint8Array): boolean {
  for (const byte of utf8) if (byte > LAST_LEAD_OF_LATIN1) return false;
  return true;
}
