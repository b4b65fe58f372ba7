/**
 * One X resource is one row: it feeds the resource lookup, the option parser, `-help`, `-report-config`,
 * the option reference and the NixOS option.
 * @spec termprog#resources-and-their-fields
 */

/** How a value is written and checked. */
export type XResourceType =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'pattern'
  | 'font'
  | 'color'
  | 'dimension'
  | 'geometry';

/**
 * A command-line option that sets a resource; names stand without their dash.
 * `value` takes the next word, `words` renames some of them. `toggle` writes `minus` for `-name` and `plus` for `+name`;
 * without `plus` there is no such form. `sticky` is one argument: the prefix with the value glued to it.
 */
export type XResourceOption =
  | { kind: 'value'; names: readonly string[]; metavar: string; words?: Readonly<Record<string, string>> }
  | { kind: 'toggle'; names: readonly string[]; minus: string; plus?: string }
  | { kind: 'sticky'; prefix: string; metavar: string };

/** Which level of the resource path a row lives at: `term.vt100.NAME` or `term.NAME`. */
export type XResourceScope = 'vt100' | 'app';

export interface XResourceRow {
  scope: XResourceScope;
  /** Levels that are looked at, first hit wins; `scope` alone when absent. */
  lookup?: readonly XResourceScope[];
  name: string;
  class: string;
  type: XResourceType;
  /** As it is written in a resource file; undefined where the specification says unset. */
  default: string | undefined;
  /** The only values accepted, where the type is a choice; compared without regard to case. */
  choices?: readonly string[];
  /** Bounds of a number, where only a part of the numbers makes sense. */
  range?: { min?: number; max?: number };
  options?: readonly XResourceOption[];
  /** Takes effect at once when it is set while the program runs; other rows are read at the start alone. */
  live?: true;
  /** What it does, in full sentences. */
  doc: string;
  /** Not read yet: set, it is warned about once. */
  pending?: true;
  /** Read for compatibility and without effect for good; says why. */
  acceptedOnly?: string;
}

/** An option `-name METAVAR`, with its other spellings after the first. */
export function value(metavar: string, ...names: string[]): XResourceOption {
  return { kind: 'value', names, metavar };
}

/** An option `-name` that says true and `+name` that says false. */
export function toggle(...names: string[]): XResourceOption {
  return { kind: 'toggle', names, minus: 'true', plus: 'false' };
}

/** An option `-name` alone that writes one value. */
export function flag(name: string, minus: string): XResourceOption {
  return { kind: 'toggle', names: [name], minus };
}

/** Rows of a numbered family: `first` to `last`, each made from its number. */
export function family<Row extends XResourceRow>(first: number, last: number, row: (number: number) => Row): Row[] {
  return Array.from({ length: last - first + 1 }, (_, index) => row(first + index));
}
