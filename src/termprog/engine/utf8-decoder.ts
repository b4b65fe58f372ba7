const REPLACEMENT = 0xfffd;

/**
 * Decodes UTF-8 that comes in pieces, into code points. Each maximal part of an invalid sequence becomes one U+FFFD, as
 * in browsers; nothing is dropped, not even a byte order mark.
 * @see WHATWG Encoding §8.1.1
 */
export class Utf8Decoder {
  /** Bits of the character so far, and how many more bytes it needs. */
  #codePoint = 0;
  #needed = 0;
  /** What the next continuation byte may be: narrower after E0, ED, F0 and F4. */
  #lower = 0x80;
  #upper = 0xbf;
  /** The last byte ended a sequence without being part of it. */
  #isSeenAgain = false;

  /** A character has begun, and its next byte is awaited. */
  get isInCharacter(): boolean {
    return this.#needed > 0;
  }

  /**
   * @param target has room for one code point more than there are bytes
   * @returns how many code points were written
   */
  decode(bytes: Uint8Array, start: number, end: number, target: Uint32Array): number {
    let written = 0;
    for (let at = start; at < end; ) {
      if (this.#needed === 0) {
        const ascii = copyAscii(bytes, at, end, target, written);
        at += ascii;
        written += ascii;
        if (at === end) break;
        const whole = threeBytes(bytes, at, end);
        if (whole >= 0) {
          target[written] = whole;
          written += 1;
          at += 3;
          continue;
        }
      }
      const codePoint = this.#step(bytes[at] as number);
      if (codePoint >= 0) {
        target[written] = codePoint;
        written += 1;
      }
      if (!this.#isSeenAgain) at += 1;
    }
    return written;
  }

  /** One byte of a longer character; returns the code point if this byte completes it, else -1. */
  #step(byte: number): number {
    this.#isSeenAgain = false;
    if (this.#needed === 0) return this.#begin(byte) ? -1 : REPLACEMENT;
    if (byte < this.#lower || byte > this.#upper) {
      // It may begin a character.
      this.#isSeenAgain = true;
      this.#needed = 0;
      return REPLACEMENT;
    }
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    this.#needed -= 1;
    return this.#needed === 0 ? this.#codePoint : -1;
  }

  /** Takes the first byte of a longer character; false for a byte that can't begin one. */
  #begin(byte: number): boolean {
    this.#lower = 0x80;
    this.#upper = 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.#needed = 1;
      this.#codePoint = byte & 0x1f;
      return true;
    }
    if (byte >= 0xe0 && byte <= 0xef) {
      if (byte === 0xe0) this.#lower = 0xa0;
      if (byte === 0xed) this.#upper = 0x9f;
      this.#needed = 2;
      this.#codePoint = byte & 0xf;
      return true;
    }
    if (byte >= 0xf0 && byte <= 0xf4) {
      if (byte === 0xf0) this.#lower = 0x90;
      if (byte === 0xf4) this.#upper = 0x8f;
      this.#needed = 3;
      this.#codePoint = byte & 0x7;
      return true;
    }
    return false;
  }
}

/** Copies a run of ASCII; gives its length. */
function copyAscii(bytes: Uint8Array, start: number, end: number, target: Uint32Array, written: number): number {
  let at = start;
  let to = written;
  for (; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) break;
    target[to] = byte;
    to += 1;
  }
  return at - start;
}

/** A complete character of three bytes, such as most beyond Latin; -1 for any case that needs a closer look. */
function threeBytes(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0xe1 || first > 0xef || first === 0xed || at + 2 >= end) return -1;
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return -1;
  return ((first & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
}
