/** A day, or a day and a time of ISO 8601; without an offset it is UTC. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const ENTRY_ID = /^ent_[\w-]+$/;

/** A place in history as a caller names it: a time in milliseconds since 1970, or an entry. */
export type Moment = { at: number } | { entryId: string };

/** Reads a time or the id of an entry; undefined for any other text. */
export function parseMoment(written: string): Moment | undefined {
  const text = written.trim();
  if (ENTRY_ID.test(text)) return { entryId: text };
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [, offset] = found;
  if (!isDay(text.slice(0, 'YYYY-MM-DD'.length))) return undefined;
  const hasTime = text.length > 'YYYY-MM-DD'.length;
  const at = Date.parse(
    `${text.replace(/\s(?=[Z+-]|$)/i, '').replace(' ', 'T')}${hasTime && offset === undefined ? 'Z' : ''}`,
  );
  return Number.isNaN(at) ? undefined : { at };
}

/** Whether the day exists; JavaScript would read the 31st of February as the 3rd of March. */
function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
