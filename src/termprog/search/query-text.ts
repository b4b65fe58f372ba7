/** Most characters of a searched text. */
export const QUERY_MAX_CHARACTERS = 256;

/** Appends a text without characters that can't be searched. Undefined when the result is too long. */
export function appendText(query: string, text: string): string | undefined {
  const appended = query + text.toWellFormed().replace(/\p{Cc}/gu, '');
  return [...appended].length > QUERY_MAX_CHARACTERS ? undefined : appended;
}

/** Returns the text without its last character, including its marks. */
export function dropCharacter(query: string): string {
  return clustersOf(query).slice(0, -1).join('');
}

/** Returns the text without its last word. */
export function dropWord(query: string): string {
  return query.replace(/\S*\s*$/u, '');
}

/** Splits a text into the characters that a reader perceives. */
export function clustersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Most bytes of a pasted text that are read: another program may offer tens of megabytes. */
const PASTED_MAX_BYTES = 64 * 1_024;

/**
 * Returns the first line of a pasted text that is not blank.
 * @param bytes UTF-8
 */
export function firstLineOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, PASTED_MAX_BYTES)).toString('utf8');
  return text.split(/\r\n|[\r\n]/).find((line) => line.trim() !== '') ?? '';
}
