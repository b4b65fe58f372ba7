/** Longest run of characters in the index. */
const GRAM_CHARACTERS = 3;
/** Most grams of a phrase that are looked up: more would hardly exclude further texts. */
const PHRASE_GRAMS_MAX = 24;

/**
 * Returns the runs of one, two and three characters (code points) of the texts, as numbers of 31 bits; two runs may
 * share one.
 */
export function gramsOf(texts: Iterable<string>): Set<number> {
  const grams = new Set<number>();
  for (const text of texts) {
    let [before, last] = [0, 0];
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      grams.add(gramOf(0, 0, code));
      if (last !== 0) grams.add(gramOf(0, last, code));
      if (before !== 0) grams.add(gramOf(before, last, code));
      [before, last] = [last, code];
    }
  }
  return grams;
}

/** Returns the grams that every text with the phrase has: the phrase's longest ones. */
export function phraseGrams(phrase: string): number[] {
  const codes = Array.from(phrase, (character) => character.codePointAt(0) ?? 0);
  if (codes.length === 0) return [];
  if (codes.length < GRAM_CHARACTERS) {
    const [last = 0, before = 0] = codes.toReversed();
    return [gramOf(0, before, last)];
  }
  const grams = codes.slice(GRAM_CHARACTERS - 1).map((code, at) => gramOf(codes[at] ?? 0, codes[at + 1] ?? 0, code));
  const step = Math.ceil(grams.length / PHRASE_GRAMS_MAX);
  return [...new Set(grams.filter((_, at) => at % step === 0))];
}

/** Returns a number that marks the texts of one channel of one account; negative, unlike the grams of characters. */
export function channelGram(accountId: string, channel: string): number {
  let mixed = 0;
  for (const character of `${accountId} ${channel}`) mixed = gramOf(0, mixed, character.codePointAt(0) ?? 0);
  return ~mixed;
}

/** Mixes three codes into one number. It multiplies by odd numbers, so that similar runs get very different numbers. */
function gramOf(first: number, second: number, third: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77) ^ Math.imul(third, 0xc2b2ae3d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 1;
}
