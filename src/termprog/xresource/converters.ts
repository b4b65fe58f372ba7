import type { XResourceRow } from '../../../schemas/termprog/resource-table.ts';
import { expectedColor } from '../color/expected-color.ts';

/** A value in its usual spelling, or a description of the expected one. */
export type Conversion = { ok: true; text: string } | { ok: false; expected: string };

/** Checks a resource's text by its schema. A colour's name is checked later by the X server. */
export function convertValue({ schema, type }: XResourceRow, text: string): Conversion {
  const { success, data, error } = schema.safeParse(text);
  if (!success) return { ok: false, expected: error.issues[0]?.message ?? type };
  const spelling = spellingOf(data, text);
  // Numeric colours are parsed as in the commands of applications.
  const expected = type === 'color' ? expectedColor(spelling) : undefined;
  return expected === undefined ? { ok: true, text: spelling } : { ok: false, expected };
}

/** Numbers keep their digits: 8.0 is not written as 8. */
function spellingOf(value: unknown, text: string): string {
  return typeof value === 'number' ? text.trim().replace(/^\+/, '') : String(value);
}
