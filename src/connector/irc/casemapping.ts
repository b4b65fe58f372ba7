/** How a network folds nicks and channels; ISUPPORT `CASEMAPPING`. Unknown mappings fold as ASCII, which takes the fewest names for the same. */
export function fold(text: string, casemapping: string): string {
  const ascii = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!casemapping.startsWith('rfc1459')) return ascii;
  const brackets = ascii.replaceAll('{', '[').replaceAll('}', ']').replaceAll('|', '\\');
  return casemapping === 'rfc1459' ? brackets.replaceAll('~', '^') : brackets;
}
