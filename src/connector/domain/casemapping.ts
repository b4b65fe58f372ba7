/** The rule by which a network compares nicks and channels. `unicode` stands for the mappings of text beyond ASCII. */
export type Casemapping = 'ascii' | 'rfc1459' | 'rfc1459-strict' | 'unicode';

/** The casemapping of a network that does not announce one; RFC 2812 §2.2. */
export const USUAL_CASEMAPPING: Casemapping = 'rfc1459';

/** Value of ISUPPORT `CASEMAPPING` → its meaning. */
const ANNOUNCED: ReadonlyMap<string, Casemapping> = new Map([
  ['ascii', 'ascii'],
  ['rfc1459', 'rfc1459'],
  ['rfc1459-strict', 'rfc1459-strict'],
  ['strict-rfc1459', 'rfc1459-strict'],
  ['rfc7613', 'unicode'],
  ['rfc8265', 'unicode'],
  ['precis', 'unicode'],
]);

/** Returns the mapping that a network announces. An unknown one counts as ASCII, which merges the fewest names. */
export const announcedCasemapping = (value: string): Casemapping => ANNOUNCED.get(value.toLowerCase()) ?? 'ascii';

/** Returns the form in which all spellings of a nick or a channel are equal on such a network. */
export function fold(text: string, casemapping: Casemapping): string {
  if (casemapping === 'unicode') return text.toLowerCase().normalize('NFC');
  const ascii = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (casemapping === 'ascii') return ascii;
  const brackets = ascii.replaceAll('{', '[').replaceAll('}', ']').replaceAll('|', '\\');
  return casemapping === 'rfc1459' ? brackets.replaceAll('~', '^') : brackets;
}
