import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { portable } from '../wire/portable-schema.ts';
import { optionalOf, readerOf, withBlanks } from './written-arguments.ts';

type ToolSchema = StandardSchemaWithJSON<Record<string, unknown>>;
type JsonSchema = Record<string, unknown>;
type Converter = ToolSchema['~standard']['jsonSchema']['input'];

/** Schema of a tool's arguments: those of the schema, and those that models write instead. */
export function inputSchema(schema: z.ZodObject): ToolSchema {
  const { '~standard': standard } = schemaForClients(schema, (json) => withBlanks(json, optionalOf(schema)));
  const meant = readerOf(schema);
  return { '~standard': { ...standard, validate: (given) => standard.validate(meant(given)) } };
}

/** Schema of a tool's result. */
export const outputSchema = (schema: z.ZodObject): ToolSchema => schemaForClients(schema, (json) => json);

/**
 * A schema whose JSON form every client takes. The form is made once, because the SDK asks for it with every request.
 */
function schemaForClients(schema: z.ZodObject, finish: (json: JsonSchema) => JsonSchema): ToolSchema {
  const { '~standard': standard } = schema as z.ZodObject & ToolSchema;
  const once = (convert: Converter): Converter => {
    let json: ReturnType<Converter> | undefined;
    return (options) => {
      json ??= finish(portable(convert(options)));
      return json;
    };
  };
  const { input, output } = standard.jsonSchema;
  return { '~standard': { ...standard, jsonSchema: { input: once(input), output: once(output) } } };
}
