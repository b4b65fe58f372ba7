import * as z from 'zod/mini';
import type { Reading, ResourceType } from './resource-types.ts';

/**
 * One X resource is one row, which is a schema: it feeds the resource lookup, the option parser, `-help`, `-report-config`,
 * the option reference and the NixOS option.
 * @spec termprog#resources-and-their-fields
 */

/**
 * A command-line option that sets a resource; names stand without their dash.
 * `value` takes the next word. `toggle` writes `minus` for `-name` and `plus` for `+name`;
 * without `plus` there is no such form. Its `doc` replaces that of the row, which would say the contrary. `sticky` is
 * one argument: the prefix with the value glued to it.
 */
export type XResourceOption =
  | { kind: 'value'; names: readonly string[]; metavar: string }
  | { kind: 'toggle'; names: readonly string[]; minus: string; plus?: string; doc?: string }
  | { kind: 'sticky'; prefix: string; metavar: string };

/** Which level of the resource path a row lives at: `term.vt100.NAME` or `term.NAME`. */
export type XResourceScope = 'vt100' | 'app';

/** Facts about a resource besides the values that it accepts. */
export interface ResourceMeta {
  class: string;
  /** Default in the form of a resource file; undefined where the specification says unset. */
  default: string | undefined;
  /** Levels at which it is looked up, in order; the first hit wins. Default: its own level alone. */
  lookup?: readonly XResourceScope[];
  options?: readonly XResourceOption[];
  /** Takes effect at once when it is set while the program runs; other rows are read at the start alone. */
  live?: true | undefined;
  /** Its effect, in full sentences. */
  doc: string;
  /** Reason why the resource is only read for compatibility and never has an effect. */
  acceptedOnly?: string;
}

/** Converts the text of a resource, or undefined for an unset one, to the value in the program. */
type ResourceSchema<Value = unknown> = z.ZodMiniType<Value, string | undefined>;

/** A resource with its scope and name. */
export interface XResourceRow extends ResourceMeta, ResourceType<unknown> {
  scope: XResourceScope;
  name: string;
  /** The values of the type, the default and the documentation. */
  schema: ResourceSchema;
}

/** The type and the facts of a resource; its name and scope come from its table. */
interface Resource<Value = unknown, Meta extends ResourceMeta = ResourceMeta> {
  type: ResourceType<Value>;
  meta: Meta;
}

/** A row whose name, values and effect are known to types; names of a numbered family are a pattern. */
type RowOf<Name extends string, R extends Resource> =
  R extends Resource<infer Value, infer Meta>
    ? XResourceRow & {
        name: Name;
        schema: ResourceSchema<undefined extends Meta['default'] ? Value | undefined : Value>;
        live: Meta extends { live: true } ? true : undefined;
      }
    : never;

type RowIn<Shape extends Readonly<Record<string, Resource>>> = {
  [Name in keyof Shape & string]: RowOf<Name, Shape[Name]>;
}[keyof Shape & string];

/** The value of a row in the program. */
export type ResourceValue<Row extends XResourceRow> = z.output<Row['schema']>;

export function resource<Value, const Meta extends ResourceMeta>(
  type: ResourceType<Value>,
  meta: Meta,
): Resource<Value, Meta> {
  return { type, meta };
}

/** The rows of a scope. */
export function resources<const Shape extends Readonly<Record<string, Resource>>>(
  scope: XResourceScope,
  shape: Shape,
): RowIn<Shape>[];
export function resources(scope: XResourceScope, shape: Readonly<Record<string, Resource>>): XResourceRow[] {
  return Object.entries(shape).map(([name, each]) => rowOf(scope, name, each));
}

/** Rows of a numbered family of the widget: `first` to `last`, each made from its number. */
export function family<const Name extends string, R extends Resource>(
  name: Name,
  [first, last]: readonly [number, number],
  make: (number: number) => R,
): RowOf<`${Name}${number}`, R>[];
export function family(
  name: string,
  [first, last]: readonly [number, number],
  make: (number: number) => Resource,
): XResourceRow[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    rowOf('vt100', `${name}${first + index}`, make(first + index)),
  );
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
export function flag(name: string, minus: string, doc: string): XResourceOption {
  return { kind: 'toggle', names: [name], minus, doc };
}

function rowOf(scope: XResourceScope, name: string, { type, meta }: Resource): XResourceRow {
  let schema: ResourceSchema | undefined;
  return {
    scope,
    name,
    ...type,
    ...meta,
    // A schema is made at its first use: all of them would take milliseconds of a start, which needs only those of set
    // resources.
    get schema() {
      if (schema === undefined) {
        const values = schemaOf(type.read);
        const optional = meta.default === undefined ? z.optional(values) : z.prefault(values, meta.default);
        schema = optional.check(z.meta({ description: meta.doc }));
      }
      return schema;
    },
  };
}

/** Schema of a conversion; the message of its issue describes the accepted texts. */
function schemaOf<Value>(read: (text: string) => Reading<Value>): z.ZodMiniType<Value, string> {
  const conversion = z.transform<string, Value>((given, context) => {
    const reading = read(given);
    if ('value' in reading) return reading.value;
    context.issues.push({ code: 'custom', message: reading.expected, input: given });
    return z.NEVER;
  });
  return z.pipe(z.string(), conversion);
}
