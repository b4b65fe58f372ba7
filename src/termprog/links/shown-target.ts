/** Characters that an address for the desktop never contains: all beyond printable ASCII. */
const BEYOND_ASCII = /[^\x20-\x7e]/gu;

/**
 * Returns text without deceptive characters: control characters, those that change the direction of text, and letters
 * that look like others are written by their numbers.
 */
export function plainText(text: string): string {
  return text.replace(BEYOND_ASCII, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * Returns the target of a link in at most `characters` characters: the server is always shown, from its end if it is
 * too long, and without a user name before it, which can look like a server.
 * @param address as it is passed to the desktop
 */
export function shownTarget(address: string, characters: number): string {
  const [, scheme, server, rest] = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/s.exec(address) ?? [];
  if (scheme === undefined || server === undefined || rest === undefined) return cutEnd(plainText(address), characters);
  const [head, tail] = [plainText(scheme + server), plainText(rest)];
  if (head.length > characters) return `…${head.slice(head.length - characters + 1)}`;
  return head + cutEnd(tail, characters - head.length);
}

/** Cuts a text to a number of characters. */
export function cutEnd(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return characters < 1 ? '' : `${text.slice(0, characters - 1)}…`;
}
