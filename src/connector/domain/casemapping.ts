/** How a network compares nicks and channels. `unicode` stands for the mappings of text beyond ASCII. */
export type Casemapping = 'ascii' | 'rfc1459' | 'rfc1459-strict' | 'unicode';

/** What a network that announces nothing has; RFC 2812 §2.2. */
export const USUAL_CASEMAPPING: Casemapping = 'rfc1459';

/** Values of ISUPPORT `CASEMAPPING`, by what they mean. */
const ANNOUNCED: ReadonlyMap<string, Casemapping> = new Map([
  ['ascii', 'ascii'],
  ['rfc1459', 'rfc1459'],
  ['rfc1459-strict', 'rfc1459-strict'],
  ['strict-rfc1459', 'rfc1459-strict'],
  ['rfc7613', 'unicode'],
  ['rfc8265', 'unicode'],
  ['precis', 'unicode'],
]);

/** The mapping that a network announces. One that is unknown counts as ASCII, which takes the fewest names for the same. */
export const announcedCasemapping = (value: string): Casemapping => ANNOUNCED.get(value.toLowerCase()) ?? 'ascii';

/** The form in which all spellings of a nick or a channel are equal on such a network. */
export function fold(text: string, casemapping: Casemapping): string {
  if (casemapping === 'unicode') return text.toLowerCase().normalize('NFC');
  const ascii = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (casemapping === 'ascii') return ascii;
  const brackets = ascii.replaceAll('{', '[').replaceAll('}', ']').replaceAll('|', '\\');
  return casemapping === 'rfc1459' ? brackets.replaceAll('~', '^') : brackets;
}
