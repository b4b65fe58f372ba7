/** Characters of a text to look for. */
export const QUERY_MAX_CHARACTERS = 256;

/** Of C0 and C1, and DEL. */
const CONTROLS = /\p{Cc}/gu;

/** The text with another one behind it; what can't be looked for is left out. Undefined when it is too long. */
export function appendText(query: string, text: string): string | undefined {
  const appended = query + text.toWellFormed().replace(CONTROLS, '');
  return [...appended].length > QUERY_MAX_CHARACTERS ? undefined : appended;
}

/** The text without its last character, marks and all. */
export function dropCharacter(query: string): string {
  return clustersOf(query).slice(0, -1).join('');
}

/** The text without its last word. */
export function dropWord(query: string): string {
  return query.replace(/\S*\s*$/u, '');
}

/** What a reader takes for characters. */
export function clustersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Of a text that is pasted as much is looked at: another program may offer tens of megabytes. */
const PASTED_MAX_BYTES = 64 * 1_024;

/** Of a text that is pasted, what fits into one line. @param bytes UTF-8 */
export function firstLineOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, PASTED_MAX_BYTES)).toString('utf8');
  return text.split(/\r\n|[\r\n]/).find((line) => line.trim() !== '') ?? '';
}
