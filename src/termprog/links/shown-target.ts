/** What no address that is given to the desktop has: everything beyond printable ASCII. */
const BEYOND_ASCII = /[^\x20-\x7e]/gu;

/**
 * A text in which nothing deceives: control characters, those that turn the direction of text, and letters that look like
 * others are written by their numbers.
 */
export function plainText(text: string): string {
  return text.replace(BEYOND_ASCII, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Where a link leads, in so many characters: the server is always seen, from its end if there is not room for all of it,
 * and without a name of a user before it, which can look like a server.
 * @param address as it is given to the desktop
 */
export function shownTarget(address: string, characters: number): string {
  const [, scheme, server, rest] = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/s.exec(address) ?? [];
  if (scheme === undefined || server === undefined || rest === undefined) return cutEnd(plainText(address), characters);
  const [head, tail] = [plainText(scheme + server), plainText(rest)];
  if (head.length > characters) return `…${head.slice(head.length - characters + 1)}`;
  return head + cutEnd(tail, characters - head.length);
}

/** A text in so many characters. */
export function cutEnd(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return characters < 1 ? '' : `${text.slice(0, characters - 1)}…`;
}
