import * as z from 'zod/v4/core';

/** Metadata of a schema; `schemas/meta.d.ts` has the keys of our own. */
export type SchemaMeta = NonNullable<ReturnType<typeof z.globalRegistry.get>>;

/** Shape of a valid value. Bounds are inclusive. */
export type SchemaShape =
  | { kind: 'boolean' }
  | { kind: 'number'; min: number | undefined; max: number | undefined; isWhole: boolean }
  | { kind: 'text'; isNonEmpty: boolean; pattern: TextPattern | undefined }
  | { kind: 'choice'; values: readonly unknown[] }
  | { kind: 'list'; element: SchemaNode; isNonEmpty: boolean }
  | { kind: 'record'; element: SchemaNode }
  | { kind: 'object'; members: ReadonlyMap<string, SchemaNode>; isStrict: boolean }
  /** One-key objects, of which exactly one may be given; by that key. */
  | { kind: 'alternatives'; branches: ReadonlyMap<string, SchemaNode> }
  /** A shape that no configuration of ours uses. */
  | { kind: 'other'; zodType: string };

export interface TextPattern {
  regex: RegExp;
  /** The schema's words for a text that matches. */
  words: string | undefined;
}

/** One value of a configuration as its schema describes it: the whole file, a section, an option, or an element of one. */
export interface SchemaNode {
  shape: SchemaShape;
  meta: SchemaMeta;
  /** Value of an option that is not set. */
  default?: { value: unknown };
  /** Value that is validated if the option is not set; `{}` gives an object the defaults of its members. */
  prefault?: { value: unknown };
  /** It may be left out or null. */
  isOptional: boolean;
  /** A reload applies a change: the schema marks it, or a section around it, as soft. */
  isSoft: boolean;
}

/**
 * The tree of a schema. This module alone knows Zod's internals; all others read the tree.
 * @param isSoft whether a section around it is soft
 */
export function schemaTree(schema: z.$ZodType, isSoft = false): SchemaNode {
  const meta = z.globalRegistry.get(schema) ?? {};
  const soft = isSoft || meta.soft === true;
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return { ...inside(def.innerType, meta, soft), isOptional: true };
    case 'default':
      return { ...inside(def.innerType, meta, soft), default: { value: def.defaultValue } };
    case 'prefault':
      return { ...inside(def.innerType, meta, soft), prefault: { value: def.defaultValue } };
    default:
      return { shape: shapeOf(def, soft), meta, isOptional: false, isSoft: soft };
  }
}

/** Node inside a wrapper such as `optional`; the wrapper's metadata wins. */
function inside(schema: z.$ZodType, shell: SchemaMeta, isSoft: boolean): SchemaNode {
  const node = schemaTree(schema, isSoft);
  return { ...node, meta: { ...node.meta, ...shell } };
}

function shapeOf(def: z.$ZodTypes['_zod']['def'], isSoft: boolean): SchemaShape {
  switch (def.type) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'number':
      return numberShape(rulesOf(def)) ?? { kind: 'other', zodType: 'number with an exclusive bound' };
    case 'string':
      return textShape(rulesOf(def)) ?? { kind: 'other', zodType: "string of one of Zod's own formats" };
    case 'enum':
      return { kind: 'choice', values: Object.values(def.entries) };
    case 'literal':
      return { kind: 'choice', values: def.values };
    case 'array':
      return { kind: 'list', element: schemaTree(def.element, isSoft), isNonEmpty: isNonEmpty(rulesOf(def)) };
    case 'record':
      return { kind: 'record', element: schemaTree(def.valueType, isSoft) };
    case 'object':
      return {
        kind: 'object',
        members: membersOf(def.shape, isSoft),
        isStrict: def.catchall?._zod.def.type === 'never',
      };
    case 'union':
      return alternativesShape(def.options, isSoft) ?? { kind: 'other', zodType: def.type };
    default:
      return { kind: 'other', zodType: def.type };
  }
}

function membersOf(shape: z.$ZodShape, isSoft: boolean): Map<string, SchemaNode> {
  return new Map(Object.entries(shape).map(([name, member]) => [name, schemaTree(member, isSoft)]));
}

/** Shape of a union; undefined if a member is not an object with one key. */
function alternativesShape(options: readonly z.$ZodType[], isSoft: boolean): SchemaShape | undefined {
  const branches = new Map<string, SchemaNode>();
  for (const option of options) {
    const { def } = (option as z.$ZodTypes)._zod;
    const [branch, ...more] = def.type === 'object' ? membersOf(def.shape, isSoft) : [];
    if (branch === undefined || more.length > 0) return undefined;
    branches.set(...branch);
  }
  return { kind: 'alternatives', branches };
}

/** A rule for a value besides its type; each kind of rule has some of these fields. */
interface Rule {
  check?: string;
  format?: string;
  value?: unknown;
  inclusive?: boolean;
  minimum?: number;
  pattern?: RegExp;
  error?: unknown;
}

/** All rules of a type. A format can be in the type itself, or a rule beside it. */
function rulesOf(def: { checks?: readonly z.$ZodCheck<never>[] | undefined }): Rule[] {
  return [def, ...(def.checks ?? []).map((check) => check._zod.def)] as Rule[];
}

function isNonEmpty(rules: readonly Rule[]): boolean {
  return rules.some(({ check, minimum = 0 }) => check === 'min_length' && minimum > 0);
}

/** Shape of a number; undefined for a fraction with an exclusive bound, which has no nearest valid number. */
function numberShape(rules: readonly Rule[]): SchemaShape | undefined {
  const isWhole = rules.some(({ check, format }) => check === 'number_format' && String(format).includes('int'));
  const bounds = rules.filter(({ check }) => check === 'greater_than' || check === 'less_than');
  if (!isWhole && bounds.some(({ inclusive }) => inclusive !== true)) return undefined;
  const nearest = (direction: string, inward: 1 | -1): number[] =>
    bounds
      .filter(({ check }) => check === direction)
      .map(({ value, inclusive }) => Number(value) + (inclusive === true ? 0 : inward));
  const [lower, upper] = [nearest('greater_than', 1), nearest('less_than', -1)];
  return {
    kind: 'number',
    min: lower.length === 0 ? undefined : Math.max(...lower),
    max: upper.length === 0 ? undefined : Math.min(...upper),
    isWhole,
  };
}

/** Shape of a text; undefined for a format of Zod's own, such as that of an e-mail address. */
function textShape(rules: readonly Rule[]): SchemaShape | undefined {
  const formats = rules.filter(({ check }) => check === 'string_format');
  const [first] = formats;
  if (formats.some(({ format }) => format !== 'regex')) return undefined;
  const message: unknown = typeof first?.error === 'function' ? first.error({}) : undefined;
  const words = typeof message === 'string' ? message : undefined;
  return {
    kind: 'text',
    isNonEmpty: isNonEmpty(rules),
    pattern: first?.pattern === undefined ? undefined : { regex: first.pattern, words },
  };
}
