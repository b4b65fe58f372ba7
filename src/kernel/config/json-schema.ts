import * as z from 'zod/v4/core';
import { notesOf } from './option-notes.ts';

/** Keys of our own metadata, which Zod copies beside the keys of JSON Schema. */
const OWN_KEYS = ['nix', 'pending', 'soft', 'secret', 'example'];

/** The JSON Schema of a configuration file as it is published, without our own metadata. */
export function publishedSchema(program: string, schema: z.$ZodType): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7', override: publish });
  return { $schema, $id: `urn:${program}:v1`, title: `Configuration of ${program}`, ...rest };
}

/** Turns our own metadata into keys of JSON Schema. */
function publish({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  const { pending, soft, example, description } = jsonSchema;
  for (const key of OWN_KEYS) delete jsonSchema[key];
  if (example !== undefined) jsonSchema['examples'] = [example];
  const notes = notesOf({ pending: pending === true, isSoft: soft === true });
  if (notes.length > 0)
    jsonSchema['description'] = [...(description === undefined ? [] : [description]), ...notes].join(' ');
}
