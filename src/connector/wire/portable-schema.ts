import { z } from 'zod';

type Json = Record<string, unknown>;

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. */
const HOLDS_ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const HOLDS_LIST: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const HOLDS_NAMED: ReadonlySet<string> = new Set(['properties', '$defs']);

/**
 * Rewrites a JSON Schema with keywords that every client reads: some know no list of types, and bounds and patterns
 * that only repeat `type` and `format` cost a model room in every conversation.
 */
export function portable(schema: Json): Json {
  const parts = mapValues(schema, portablePart);
  return spellOutTypes(Object.fromEntries(Object.entries(parts).filter((part) => !repeats(part, schema))));
}

/** The portable JSON Schema of a schema's input or output. */
export const portableJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  portable(z.toJSONSchema(schema, { io }) as Json);

function portablePart(value: unknown, keyword: string): unknown {
  if (HOLDS_ONE.has(keyword)) return portableSchema(value);
  if (HOLDS_LIST.has(keyword) && Array.isArray(value)) return value.map(portableSchema);
  if (HOLDS_NAMED.has(keyword)) return mapValues(value as Json, portableSchema);
  return value;
}

/** A schema may also be `true` or `false`. */
function portableSchema(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null ? portable(schema as Json) : schema;
}

function repeats([keyword, value]: [string, unknown], { format }: Json): boolean {
  // The dialect is the one that MCP assumes anyway, and older readers refuse a schema that names it.
  if (keyword === '$schema') return true;
  if (keyword === 'pattern') return format !== undefined;
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

function spellOutTypes({ type, ...rest }: Json): Json {
  if (type === undefined) return rest;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one) => ({ type: one })) } : { type, ...rest };
}

function mapValues(values: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
