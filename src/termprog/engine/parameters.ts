import { PARAMETER_MAX } from './limits.ts';

/** The parser's own store of parameters; it is reused for the next sequence. */
export interface RawParameters {
  readonly params: Int32Array;
  readonly length: number;
  hasSubParams(index: number): boolean;
  getSubParams(index: number): Int32Array | null;
}

/** What the store holds for a parameter that was left out. */
export const OMITTED = -1;

/** Parameters that the parser keeps of one sequence. */
export const PARAMETERS_MAX = 32;

/** Parameters of a sequence that has no sub-parameters. */
export class PlainParameters implements RawParameters {
  readonly params = new Int32Array(PARAMETERS_MAX);
  length = 1;

  hasSubParams(): boolean {
    return false;
  }

  getSubParams(): null {
    return null;
  }
}

/** Parameters of the control sequence that is dispatched now, bounded. Valid only during the call. */
export class Parameters {
  readonly #raw: RawParameters;

  constructor(raw: RawParameters) {
    this.#raw = raw;
  }

  /** At least 1: a sequence without parameters has one, which is 0. */
  get length(): number {
    return this.#raw.length;
  }

  /** From 0 to `PARAMETER_MAX`; 0 where there is none. */
  at(index: number): number {
    return index < this.#raw.length ? bound(this.#raw.params[index] as number) : 0;
  }

  /** Whether a parameter was left out; most functions take that as 0. */
  isOmitted(index: number): boolean {
    return index >= this.#raw.length || this.#raw.params[index] === OMITTED;
  }

  /** A number that counts from 1: 0 and a missing one mean 1. */
  count(index: number): number {
    return this.at(index) || 1;
  }

  /** All from `index` on; at least one, which is 0 when it was left out. */
  from(index: number): number[] {
    return Array.from({ length: Math.max(1, this.length - index) }, (_, at) => this.at(index + at));
  }

  hasSubParameters(index: number): boolean {
    return this.#raw.hasSubParams(index);
  }

  /** Sub-parameters of a parameter; -1 for a missing one. Do not keep the result. */
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
