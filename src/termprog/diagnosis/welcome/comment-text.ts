/** Longest quoted value. */
const VALUE_MAX_CHARACTERS = 48;

/**
 * Returns text for a comment of a resource file that passes a preprocessor: without quotes, which must be paired there,
 * without starts of comments, and without a backslash, which would join the next line.
 */
export function commentText(text: string): string {
  return text
    .replaceAll("can't", 'cannot')
    .replace(/["']/g, '')
    .replace(/\\|\p{Cc}|\/(?=[/*])/gu, '?');
}

/** Returns a resource's value, shortened. */
export function shownValue(value: string): string {
  const text = commentText(value);
  return text.length <= VALUE_MAX_CHARACTERS ? text : `${text.slice(0, VALUE_MAX_CHARACTERS)} ...`;
}
