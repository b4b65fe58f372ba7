import { CONTROL_STRING_MAX_CHARACTERS } from './limits.ts';

/** Units of the store at first; most texts fit. */
const FIRST_UNITS = 1_024;

/** A larger store is not kept for the next text. */
const KEPT_UNITS_MAX = 65_536;

/** Above it a character is two units of UTF-16. */
const LAST_SINGLE = 0xffff;

export interface StringBounds {
  keptCharacters?: number;
  maxCharacters?: number;
}

/** Collects the text of a control string up to a bound: in a store that is used again, so that most texts cost only themselves. */
export class ControlString {
  #units = new Uint16Array(FIRST_UNITS);
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

  /** The text; undefined when it was too long. What was collected is forgotten. */
  take(): string | undefined {
    const isDropped = this.#characters > this.#kept && !this.#mayBeCut;
    const text = isDropped ? undefined : textOf(this.#units.subarray(0, this.#length));
    this.#forget();
    return text;
  }

  #forget(): void {
    this.#length = 0;
    if (this.#units.length > KEPT_UNITS_MAX) this.#units = new Uint16Array(FIRST_UNITS);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#units.length) return;
    const units = new Uint16Array(Math.max(needed, 2 * this.#units.length));
    units.set(this.#units.subarray(0, this.#length));
    this.#units = units;
  }
}

/** One byte for each character where that is possible: a text may be megabytes. */
function textOf(units: Uint16Array): string {
  let all = 0;
  for (const unit of units) all |= unit;
  if (all <= 0xff) return Buffer.from(units).toString('latin1');
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
