/** Switches to UTF-8 and back; an extension of XFree86, which all X libraries read. */
const UTF8_BEGIN = Buffer.from('\x1b%G');
export const UTF8_END = Buffer.from('\x1b%@');

/** Writes Compound Text: Latin-1 unchanged, and other characters as marked UTF-8. */
export class CompoundWriter {
  readonly #bytes: Buffer;
  #end = 0;
  #isMarked = false;

  /** @param utf8Bytes length of the text in UTF-8 */
  constructor(utf8Bytes: number) {
    // The longest output comes from characters of two bytes, each marked, with one byte between them.
    this.#bytes = Buffer.allocUnsafe(3 * utf8Bytes + UTF8_BEGIN.length + UTF8_END.length);
  }

  /** @param code of a character of Latin-1 */
  writeLatin1(code: number): void {
    this.#endMarked();
    this.#bytes[this.#end++] = code;
  }

  /** @param bytes one or more other characters in UTF-8 */
  writeUtf8(bytes: Uint8Array): void {
    if (!this.#isMarked) this.#end += UTF8_BEGIN.copy(this.#bytes, this.#end);
    this.#isMarked = true;
    for (const byte of bytes) this.#bytes[this.#end++] = byte;
  }

  finish(): Buffer {
    this.#endMarked();
    return Buffer.from(this.#bytes.subarray(0, this.#end));
  }

  #endMarked(): void {
    if (this.#isMarked) this.#end += UTF8_END.copy(this.#bytes, this.#end);
    this.#isMarked = false;
  }
}
