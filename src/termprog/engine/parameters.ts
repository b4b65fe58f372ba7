import { PARAMETER_MAX } from './limits.ts';

/** The parser's own store of parameters; it is reused for the next sequence. */
export interface RawParameters {
  readonly params: Int32Array;
  readonly length: number;
  hasSubParams(index: number): boolean;
  getSubParams(index: number): Int32Array | null;
}

/** The stored value of a parameter that was left out. */
export const OMITTED = -1;

/** The most parameters of one sequence that the parser keeps. */
export const PARAMETERS_MAX = 32;

const SEMICOLON = 0x3b;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

/** The longest number that is read: it has as many digits as `PARAMETER_MAX`, and few enough for quick arithmetic. */
const DIGITS_MAX = 5;

/** Reads and stores the parameters of a sequence that has no sub-parameters. */
export class PlainParameters implements RawParameters {
  readonly params = new Int32Array(PARAMETERS_MAX);
  length = 1;

  /**
   * Reads numbers between semicolons. Returns the index of the byte behind them; `end` if the bytes end before it, and
   * if there are more or longer numbers than are read.
   */
  read(bytes: Uint8Array, start: number, end: number): number {
    const { params } = this;
    let count = 0;
    for (let at = start; at < end && count < PARAMETERS_MAX; at += 1) {
      const first = at;
      let value = 0;
      let code = bytes[at] as number;
      // Without a check for overflow, which V8 would add, because too long numbers are not used.
      while (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
        value = (value * 10 + code - DIGIT_ZERO) | 0;
        at += 1;
        if (at === end) return end;
        code = bytes[at] as number;
      }
      if (at - first > DIGITS_MAX) return end;
      params[count] = at === first ? OMITTED : value;
      count += 1;
      if (code !== SEMICOLON) {
        this.length = count;
        return at;
      }
    }
    return end;
  }

  hasSubParams(): boolean {
    return false;
  }

  getSubParams(): null {
    return null;
  }
}

/** Reads the parameters of the control sequence that runs now, and bounds them. It is valid only during the call. */
export class Parameters {
  readonly #raw: RawParameters;

  constructor(raw: RawParameters) {
    this.#raw = raw;
  }

  /** Number of parameters, at least 1: a sequence without parameters has one, which is 0. */
  get length(): number {
    return this.#raw.length;
  }

  /** Returns a parameter, from 0 to `PARAMETER_MAX`; 0 if it does not exist. */
  at(index: number): number {
    return index < this.#raw.length ? bound(this.#raw.params[index] as number) : 0;
  }

  /** Returns whether a parameter was left out; most functions treat that as 0. */
  isOmitted(index: number): boolean {
    return index >= this.#raw.length || this.#raw.params[index] === OMITTED;
  }

  /** Returns a number that counts from 1: 0 and a missing one mean 1. */
  count(index: number): number {
    return this.at(index) || 1;
  }

  /** Returns all parameters from `index` on: at least one, which is 0 if it was left out. */
  from(index: number): number[] {
    return Array.from({ length: Math.max(1, this.length - index) }, (_, at) => this.at(index + at));
  }

  hasSubParameters(index: number): boolean {
    return this.#raw.hasSubParams(index);
  }

  /** Returns the sub-parameters of a parameter; -1 for a missing one. Do not keep the result. */
  subParameters(index: number): Int32Array | undefined {
    const found = this.#raw.getSubParams(index);
    if (found === null) return undefined;
    for (let at = 0; at < found.length; at += 1) if ((found[at] as number) > PARAMETER_MAX) found[at] = PARAMETER_MAX;
    return found;
  }
}

function bound(value: number): number {
  return value > PARAMETER_MAX ? PARAMETER_MAX : Math.max(0, value);
}
