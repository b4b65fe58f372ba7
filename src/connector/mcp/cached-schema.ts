import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** A schema whose JSON form is made once: the SDK asks for it anew with every request. */
export function withCachedJson(schema: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const { '~standard': standard } = schema as z.ZodObject & StandardSchemaWithJSON<Record<string, unknown>>;
  const cached = (convert: Converter): Converter => {
    let json: ReturnType<Converter> | undefined;
    return (options) => {
      json ??= convert(options);
      return json;
    };
  };
  const { input, output } = standard.jsonSchema;
  return { '~standard': { ...standard, jsonSchema: { input: cached(input), output: cached(output) } } };
}

type Converter = StandardSchemaWithJSON['~standard']['jsonSchema']['input'];
