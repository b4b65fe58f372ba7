import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { expectedColor } from '../color/expected-color.ts';

/** A value in its usual spelling, or what was expected instead. */
export type Conversion = { ok: true; text: string } | { ok: false; expected: string };

/** Checks a resource's text by its schema. The name of a colour is known only to the X server and is checked there. */
export function convertValue({ schema, type }: XResourceRow, text: string): Conversion {
  const { success, data, error } = schema.safeParse(text);
  if (!success) return { ok: false, expected: error.issues[0]?.message ?? type };
  const spelling = spellingOf(data, text);
  // Numbers of colours have one reader, that of applications' commands.
  const expected = type === 'color' ? expectedColor(spelling) : undefined;
  return expected === undefined ? { ok: true, text: spelling } : { ok: false, expected };
}

/** Numbers keep the digits that they were given with: 8.0 is not written 8. */
function spellingOf(value: unknown, text: string): string {
  return typeof value === 'number' ? text.trim().replace(/^\+/, '') : String(value);
}
