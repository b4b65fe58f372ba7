/** Lines like those of real channels; the same for both sides of a comparison, and in each run. */

export interface Line {
  sender: string;
  text: string;
  /** Milliseconds since 1970; no two lines of an account share one. */
  at: number;
}

/** Time between two lines: 200,000 of them fill two months. */
const LINE_INTERVAL_MS = 25_000;
const SENDERS = 40;
const WORDS_MIN = 3;
const WORDS_SPREAD = 14;

/** Common words, the most frequent first. */
const FREQUENT =
  'the of to and a in is it you that was for on are with as ok his they be at one have this from or had by hot but some what there we can out other were all your when up use word how said an each she which do their time if will way about many then them would write like so these her long make thing see him two has look more day could go come did my no most number who over know water than call first people may down side been now find any new work part take get place made live where after back little only round man year came show every good me give our under log bug fix cat run'.split(
    ' ',
  );
const RARER_WORDS = 6_000;
const SYLLABLES =
  'ba be bi bo cra de di dro fa fe fli ga go gra ha he ka kle la le lo ma me mi no nu pa pe plo ra re ri sa se ski ta te tru va vo'.split(
    ' ',
  );

/** Extra word -> number of lines in which it occurs once. */
const EVERY_SO_MANY = { emu: 300, gnu: 1_000, yak: 5_000 } as const;
const RARE_LINES = 5;

/**
 * Phrases of different frequency. The rare phrase has a word that occurs nowhere else; the absent ones do not occur.
 */
export const PHRASES = {
  rare: 'quixotic umbrella',
  common: 'of the',
  absent: 'unsaid wherever',
  'two characters': 'ok',
  'three characters, in most lines': 'the',
  'three characters, in 1 of 140': 'cat',
  'three characters, in 1 of 300': 'emu',
  'three characters, in 1 of 1,000': 'gnu',
  'three characters, in 1 of 5,000': 'yak',
  'three characters, inside words (soju finds whole ones)': 'kiv',
  'three characters, absent': 'qqq',
  'a common and a seldom word': 'the cat',
} as const;

/** Numbers from 0 to 1 that are the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lines of one account, oldest first, the last of them now. */
export function* linesOf(account: number, count: number, now: number): Generator<Line> {
  const random = randomNumbers(account + 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const rarer = Array.from({ length: RARER_WORDS }, () => pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES));
  const vocabulary = [...FREQUENT, ...rarer];
  // The n-th word is said about 1/n as often as the first.
  const word = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] as string;
  const rareEvery = Math.floor(count / RARE_LINES);
  for (let index = 0; index < count; index += 1) {
    const words = Array.from({ length: WORDS_MIN + Math.floor(random() * WORDS_SPREAD) }, word);
    if (index % rareEvery === rareEvery >> 1) words.push(PHRASES.rare);
    for (const [said, every] of Object.entries(EVERY_SO_MANY)) if (index % every === every >> 1) words.push(said);
    yield {
      sender: `person${Math.floor(random() * SENDERS)}`,
      text: words.join(' '),
      at: now - (count - index) * LINE_INTERVAL_MS,
    };
  }
}
