/**
 * One X resource is one row: it feeds the resource lookup, the option parser, `-help`, `-report-config`,
 * the option reference and the NixOS option.
 * @spec termprog#resources-and-their-fields
 */

/** How a value is written and checked. */
export type XResourceType = 'boolean' | 'integer' | 'number' | 'string' | 'pattern' | 'font' | 'color' | 'dimension';

/** A command-line option that sets a resource. `value` options take a word; `on` and `off` are what `-name` and `+name` write. */
export type XResourceOption =
  | { kind: 'value'; names: readonly string[] }
  | { kind: 'toggle'; names: readonly string[]; minus: string; plus?: string };

/** Which level of the resource path a row lives at: `term.vt100.NAME` or `term.NAME`. */
export type XResourceScope = 'vt100' | 'app';

export interface XResourceRow {
  scope: XResourceScope;
  name: string;
  class: string;
  type: XResourceType;
  /** As it is written in a resource file; undefined where the specification says unset. */
  default: string | undefined;
  /** The only values accepted, where the type is a choice. */
  choices?: readonly string[];
  option?: XResourceOption;
  /** What it does, in full sentences. */
  doc: string;
  /** Not read yet: set, it is warned about once. */
  pending?: true;
  /** Read for compatibility and without effect for good; says why. */
  acceptedOnly?: string;
}
