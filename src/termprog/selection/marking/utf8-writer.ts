const FIRST_BYTES = 4_096;

/** Most bytes of a code point. */
const CODE_POINT_BYTES = 4;

/** Writes code points as UTF-8 without intermediate strings: strings of many lines cost seconds. */
export class Utf8Writer {
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** Length in bytes. */
  get length(): number {
    return this.#length;
  }

  /** The written bytes; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param code a Unicode scalar value */
  write(code: number): void {
    if (this.#length + CODE_POINT_BYTES > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    let at = this.#length;
    if (code < 0x80) bytes[at++] = code;
    else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x1_0000) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    }
    this.#length = at;
  }

  writeText(text: string): void {
    for (const character of text) this.write(character.codePointAt(0) ?? 0);
  }

  #grow(): void {
    const bytes = Buffer.allocUnsafe(2 * this.#bytes.length);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
