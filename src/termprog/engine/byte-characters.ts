const FIRST_UNICODE = 0x80;

/** The first code after the control characters of C1. */
const FIRST_LATIN = 0xa0;

/**
 * Returns the character beyond ASCII at a place; -1 if it is cut off or invalid, and for DEL and the characters of C1.
 */
export function characterAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0xe0) {
    if (first < 0xc2 || at + 1 >= end) return -1;
    const second = bytes[at + 1] as number;
    const code = ((first & 0x1f) << 6) | (second & 0x3f);
    return (second & 0xc0) === 0x80 && code >= FIRST_LATIN ? code : -1;
  }
  return first < 0xf0 ? threeBytesAt(bytes, at, end) : fourBytesAt(bytes, at, end);
}

function threeBytesAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 >= end) return -1;
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return -1;
  const code = (((bytes[at] as number) & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  const isSurrogate = (code & 0xf800) === 0xd800;
  return code >= 0x800 && !isSurrogate ? code : -1;
}

function fourBytesAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first > 0xf4 || at + 3 >= end) return -1;
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  const fourth = bytes[at + 3] as number;
  if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80 || (fourth & 0xc0) !== 0x80) return -1;
  const code = ((first & 0x7) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
  return code >= 0x1_0000 && code <= 0x10_ffff ? code : -1;
}

/** Returns the number of bytes of a character. */
export function bytesOf(code: number): number {
  if (code < 0x800) return code < FIRST_UNICODE ? 1 : 2;
  return code < 0x1_0000 ? 3 : 4;
}
