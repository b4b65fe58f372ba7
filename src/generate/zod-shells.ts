import { z } from 'zod';
import { GenerateError, type Json } from './option-tree.ts';

type Meta = NonNullable<ReturnType<typeof z.globalRegistry.get>>;

/** A schema without its optional, nullable, default and prefault shells, and what these said. */
export interface Unshelled {
  schema: z.core.$ZodType;
  meta: Meta;
  default?: { value: Json };
  /** It may be left out or null, which is the same in a configuration made by Nix. */
  nullable: boolean;
}

/** Takes the shells off; what an outer one says wins. */
export function unshell(schema: z.core.$ZodType, path: string): Unshelled {
  const meta = z.globalRegistry.get(schema) ?? {};
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = unshell(schema.unwrap(), path);
    return { ...inner, meta: { ...inner.meta, ...meta }, nullable: true };
  }
  if (schema instanceof z.ZodDefault) {
    const inner = unshell(schema.unwrap(), path);
    // A default of a whole object is lost as soon as the user sets one member of it.
    if (inner.schema instanceof z.ZodObject)
      throw new GenerateError(path, 'defaults belong on the members of an object');
    const value = schema.def.defaultValue as Json;
    return { ...inner, meta: { ...inner.meta, ...meta }, ...(value === null ? {} : { default: { value } }) };
  }
  if (schema instanceof z.ZodPrefault) {
    const inner = unshell(schema.unwrap(), path);
    const empty = JSON.stringify(schema.def.defaultValue) === '{}';
    if (!(inner.schema instanceof z.ZodObject) || !empty) {
      throw new GenerateError(path, 'prefault is understood as {} of an object only');
    }
    return { ...inner, meta: { ...inner.meta, ...meta } };
  }
  return { schema, meta, nullable: false };
}
