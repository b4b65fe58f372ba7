import { CONTROL_STRING_MAX_CHARACTERS } from './limits.ts';

/** The store's first size in units; most texts fit. */
const FIRST_UNITS = 1_024;

/** A larger store is not kept for the next text. */
const KEPT_UNITS_MAX = 65_536;

/** A text of at least this many units is stored with one byte for each character if possible. */
const LONG_UNITS = 1_024;

/** A character above it takes two units of UTF-16. */
const LAST_SINGLE = 0xffff;

export interface StringBounds {
  keptCharacters?: number;
  maxCharacters?: number;
}

/**
 * Collects the text of a control string up to a bound. Its store is reused, so that most texts cost only their own
 * memory.
 */
export class ControlString {
  #units = new Uint16Array(FIRST_UNITS);
  /** The store's bytes; creating a view for each text would cost more than the text. */
  #bytes = Buffer.from(this.#units.buffer);
  #length = 0;
  #characters = 0;
  #kept = 0;
  #mayBeCut = false;

  /**
   * @param keptCharacters longer texts are cut here
   * @param maxCharacters longer texts are dropped
   */
  start({ keptCharacters, maxCharacters = CONTROL_STRING_MAX_CHARACTERS }: StringBounds): void {
    this.#forget();
    this.#characters = 0;
    this.#mayBeCut = keptCharacters !== undefined;
    this.#kept = keptCharacters ?? maxCharacters;
  }

  put(data: Uint32Array, start: number, end: number): void {
    const room = this.#kept - this.#characters;
    this.#characters += end - start;
    if (room <= 0) return;
    const last = Math.min(end, start + room);
    this.#reserve(2 * (last - start));
    const units = this.#units;
    let length = this.#length;
    for (let at = start; at < last; at += 1) {
      const code = data[at] as number;
      if (code > LAST_SINGLE) {
        units[length++] = 0xd7c0 + (code >> 10);
        units[length++] = 0xdc00 | (code & 0x3ff);
      } else units[length++] = code;
    }
    this.#length = length;
  }

  /** Returns the text, or undefined if it was too long, and empties the store. */
  take(): string | undefined {
    const isDropped = this.#characters > this.#kept && !this.#mayBeCut;
    const text = isDropped ? undefined : this.#text();
    this.#forget();
    return text;
  }

  #forget(): void {
    this.#length = 0;
    if (this.#units.length > KEPT_UNITS_MAX) this.#use(new Uint16Array(FIRST_UNITS));
  }

  #use(units: Uint16Array<ArrayBuffer>): void {
    this.#units = units;
    this.#bytes = Buffer.from(units.buffer);
  }

  #text(): string {
    const length = this.#length;
    if (length >= LONG_UNITS && this.#isLatin()) return Buffer.from(this.#units.subarray(0, length)).toString('latin1');
    return this.#bytes.toString('utf16le', 0, length * Uint16Array.BYTES_PER_ELEMENT);
  }

  #isLatin(): boolean {
    let all = 0;
    for (let at = 0; at < this.#length; at += 1) all |= this.#units[at] as number;
    return all <= 0xff;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#units.length) return;
    const units = new Uint16Array(Math.max(needed, 2 * this.#units.length));
    units.set(this.#units.subarray(0, this.#length));
    this.#use(units);
  }
}
