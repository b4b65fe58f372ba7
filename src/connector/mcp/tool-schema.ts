import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { portable } from '../wire/portable-schema.ts';

type ToolSchema = StandardSchemaWithJSON<Record<string, unknown>>;
type Converter = ToolSchema['~standard']['jsonSchema']['input'];

/** What a tool takes. Optional arguments that are null or empty count as absent: many models fill in every argument. */
export function inputSchema(schema: z.ZodObject): ToolSchema {
  const { '~standard': standard } = schemaForClients(schema);
  const optional = Object.keys(schema.shape).filter((name) => schema.shape[name]?.isOptional() === true);
  return { '~standard': { ...standard, validate: (given) => standard.validate(withoutBlanks(given, optional)) } };
}

/** What a tool gives. */
export const outputSchema = schemaForClients;

/** A schema whose JSON form is one that every client takes. It is made once: the SDK asks for it anew with every request. */
function schemaForClients(schema: z.ZodObject): ToolSchema {
  const { '~standard': standard } = schema as z.ZodObject & ToolSchema;
  const once = (convert: Converter): Converter => {
    let json: ReturnType<Converter> | undefined;
    return (options) => {
      json ??= portable(convert(options));
      return json;
    };
  };
  const { input, output } = standard.jsonSchema;
  return { '~standard': { ...standard, jsonSchema: { input: once(input), output: once(output) } } };
}

function withoutBlanks(given: unknown, optional: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const isBlank = ([name, value]: [string, unknown]) => (value === null || value === '') && optional.includes(name);
  return Object.fromEntries(Object.entries(given).filter((argument) => !isBlank(argument)));
}
