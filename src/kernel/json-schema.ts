import { z } from 'zod';
import { PENDING_NOTE } from './pending-note.ts';

/** The JSON Schema of a configuration file as it is published: what only the generator needs is left out. */
export function publishedSchema(program: string, schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7', override: publish });
  return { $schema, $id: `urn:${program}:v1`, title: `Configuration of ${program}`, ...rest };
}

/** Turns our own metadata into keys of JSON Schema. */
function publish({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  const { pending, example, description } = jsonSchema;
  delete jsonSchema['nix'];
  delete jsonSchema['pending'];
  delete jsonSchema['example'];
  if (example !== undefined) jsonSchema['examples'] = [example];
  if (pending === true) jsonSchema['description'] = `${String(description)} ${PENDING_NOTE}`;
}
