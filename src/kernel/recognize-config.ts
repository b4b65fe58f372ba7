import { readFileSync } from 'node:fs';
import { PENDING_NOTE } from './pending-note.ts';

/** A JSON Schema as the configuration files are published with. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

/** Keywords that constrain nothing. */
const NOTES: readonly string[] = ['$schema', '$id', 'title', 'description', 'examples', 'default'];

/** Keyword -> whether a value fulfils it. Those of objects are with `filled`, which also completes them. */
const checks: Readonly<Record<string, (value: unknown, limit: never) => boolean>> = {
  type: (value, type: string) => hasType(value, type),
  enum: (value, values: unknown[]) => values.includes(value),
  const: (value, expected: unknown) => value === expected,
  pattern: (value, pattern: string) => typeof value === 'string' && new RegExp(pattern).test(value),
  minLength: (value, limit: number) => typeof value === 'string' && value.length >= limit,
  maxLength: (value, limit: number) => typeof value === 'string' && value.length <= limit,
  minimum: (value, limit: number) => typeof value === 'number' && value >= limit,
  maximum: (value, limit: number) => typeof value === 'number' && value <= limit,
};
const OBJECT_KEYWORDS: readonly string[] = ['properties', 'required', 'additionalProperties', 'propertyNames'];

/** The value is not plainly valid; why is for the schema itself to say. */
class Unrecognized extends Error {}

/**
 * Reads a valid configuration file by the published form of its schema, defaults filled in, in a fraction of the time
 * that loading the schema itself takes.
 * Undefined whenever there is anything to tell the user or anything this reader does not know: then the schema decides.
 */
export function recognizeConfig(file: string, schema: PublishedSchema): unknown {
  try {
    return filled(JSON.parse(readFileSync(file, 'utf8')), schema);
  } catch {
    return undefined;
  }
}

/** @throws Unrecognized */
function filled(value: unknown, schema: PublishedSchema): unknown {
  for (const [keyword, limit] of Object.entries(schema)) {
    if (NOTES.includes(keyword) || OBJECT_KEYWORDS.includes(keyword)) continue;
    if (checks[keyword]?.(value, limit as never) !== true) throw new Unrecognized(keyword);
  }
  return schema['type'] === 'object' ? filledObject(value as Record<string, unknown>, schema) : value;
}

function filledObject(value: Record<string, unknown>, schema: PublishedSchema): Record<string, unknown> {
  const { properties = {}, additionalProperties = true, required = [], propertyNames } = schema as ObjectSchema;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    const rule = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    // The name of every prototype's accessor means something else to each reader.
    if (typeof rule !== 'object' || key === '__proto__' || isPending(rule)) throw new Unrecognized(key);
    if (propertyNames !== undefined) filled(key, propertyNames);
    return [key, filled(member, rule)];
  });
  const defaults = Object.entries(properties)
    .filter(([key, rule]) => !Object.hasOwn(value, key) && rule['default'] !== undefined)
    .map(([key, rule]): [string, unknown] => [key, filled(rule['default'], rule)]);
  const whole = Object.fromEntries([...entries, ...defaults]);
  if (required.some((key) => !Object.hasOwn(whole, key))) throw new Unrecognized('required');
  return whole;
}

/** Setting such an option is worth a warning. */
const isPending = ({ description }: PublishedSchema): boolean => String(description).endsWith(PENDING_NOTE);

interface ObjectSchema {
  properties?: Record<string, PublishedSchema>;
  additionalProperties?: boolean | PublishedSchema;
  required?: readonly string[];
  propertyNames?: PublishedSchema;
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}
