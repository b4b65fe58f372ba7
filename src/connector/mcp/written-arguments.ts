import type { z } from 'zod';
import { portableJsonSchema } from '../wire/portable-schema.ts';

type JsonSchema = Record<string, unknown>;

/** A number that a model writes as text. "", "0x14" and "1e3" are excluded: models do not write a count so. */
const NUMBER = /^\s*[+-]?\d+(?:\.\d+)?\s*$/;

/** Names of the arguments that may be left out. */
export const optionalOf = ({ shape }: z.ZodObject): ReadonlySet<string> =>
  new Set(Object.keys(shape).filter((name) => shape[name]?.isOptional() === true));

/** The schema of a tool's arguments, extended: optional ones may be null, and optional texts may be empty. */
export function withBlanks(schema: JsonSchema, optional: ReadonlySet<string>): JsonSchema {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const changed = Object.entries(properties).map(([name, one]) => [name, optional.has(name) ? orBlank(one) : one]);
  return { ...schema, properties: Object.fromEntries(changed) };
}

/**
 * Returns a function that reads the arguments of a tool as models write them. An optional argument that is null or
 * empty counts as absent, because many models fill in every argument; a number or a list in quotes is one. A tool
 * without arguments takes any, because some clients add one without a meaning.
 */
export function readerOf(schema: z.ZodObject): (given: unknown) => unknown {
  const optional = optionalOf(schema);
  const { properties = {} } = portableJsonSchema(schema, 'input') as { properties?: Record<string, JsonSchema> };
  const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]));
  return (given) => {
    if (typeof given !== 'object' || given === null) return given;
    if (types.size === 0) return {};
    const kept = Object.entries(given).filter(([name, value]) => !(optional.has(name) && isBlank(value)));
    return Object.fromEntries(kept.map(([name, value]) => [name, meant(value, types.get(name))]));
  };
}

const isBlank = (value: unknown): boolean => value === null || value === '';

function meant(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' && NUMBER.test(value)) return Number(value);
  return type === 'array' ? listIn(value) : value;
}

/** Reads a list that a model writes as text: as JSON, with commas, or its only member alone. */
function listIn(value: string): unknown {
  const text = value.trim();
  if (!text.startsWith('[')) return text.split(',').map((one) => one.trim());
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The schema says what is wrong with it.
    return value;
  }
}

function orBlank({ description, default: absent, ...one }: JsonSchema): JsonSchema {
  return {
    anyOf: [one['type'] === 'string' ? orEmpty(one) : one, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(absent === undefined ? {} : { default: absent }),
  };
}

function orEmpty({ minLength: _one, pattern, ...text }: JsonSchema): JsonSchema {
  return pattern === undefined ? text : { ...text, pattern: `^$|${pattern}` };
}
