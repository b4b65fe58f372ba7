/**
 * Matches the start of an address and the characters that may follow. Brackets of CJK texts and lines of frames never
 * belong to it. The expression is created for each search: its character classes take a third of a millisecond, which
 * the start does not pay.
 */
const createAddress = (): RegExp =>
  /(?<![\p{L}\p{N}])https?:\/\/[^\s\p{Cc}<>"`{}|\\^\u2500-\u259f\u3000-\u303f\uff00-\uff0f]+/giu;

/** Characters that end sentences and quotations rather than addresses. */
const TRAILING = new Set(".,;:!?'*_~…’”»".split(''));

/** A closing bracket belongs to the address if its opening one does. */
const OPENING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
]);

/** A part of a text. */
export interface AddressSpan {
  text: string;
  start: number;
  end: number;
}

/** Returns the web address that covers a place of a text; undefined without one. */
export function addressAt(text: string, at: number): AddressSpan | undefined {
  for (const { 0: found, index: start } of text.matchAll(createAddress())) {
    if (start > at) return undefined;
    const address = withoutTail(found);
    const end = start + address.length;
    if (at < end) return namesServer(address) ? { text: address, start, end } : undefined;
  }
  return undefined;
}

const namesServer = (address: string): boolean => /^https?:\/\/[\p{L}\p{N}[]/iu.test(address);

/** Removes punctuation of the surrounding text, and brackets that were opened before the address. */
function withoutTail(found: string): string {
  const unopened = new Map(
    [...OPENING].map(([closing, opening]) => [closing, countOf(found, closing) - countOf(found, opening)]),
  );
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    const left = unopened.get(last) ?? 0;
    if (left > 0) unopened.set(last, left - 1);
    else if (!TRAILING.has(last)) break;
  }
  return found.slice(0, end);
}

const countOf = (text: string, character: string): number => text.split(character).length - 1;
