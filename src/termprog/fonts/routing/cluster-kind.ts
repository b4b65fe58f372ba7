/** Whether emoji follow Unicode, or all are text or emoji. @spec termprog#terminal-widget-resources-termvt100 emojiPresentation */
export type EmojiPresentation = 'unicode' | 'text' | 'emoji';

/**
 * What a cluster is, for the choice of a face: an emoji in colours, an emoji as a sign among text, text whose script is
 * Han, or other text.
 */
export type ClusterKind = 'emoji' | 'emojiText' | 'han' | 'text';

const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;
const JOINER = 0x200d;
const NON_JOINER = 0x200c;
const KEYCAP = 0x20e3;

// Properties of Unicode as Node has them: exact, of the version of the table of widths, and without data of our own.
const EMOJI = /^\p{Emoji}/u;
const PICTOGRAPHIC = /^\p{Extended_Pictographic}/u;
const EMOJI_BY_DEFAULT = /^\p{Emoji_Presentation}/u;
const INDICATOR = /^\p{Regional_Indicator}/u;
const MODIFIER = /^\p{Emoji_Modifier}/u;
const HAN = /^\p{Script=Han}/u;

/** The kind of a cluster; its first code point is its base. A variation selector after an emoji wins over the option. */
export function kindOf(codePoints: readonly number[], presentation: EmojiPresentation): ClusterKind {
  const [base = 0] = codePoints;
  const character = String.fromCodePoint(base);
  if (!EMOJI.test(character)) return HAN.test(character) ? 'han' : 'text';
  const selector = selectorIn(codePoints);
  if (!isEmojiAlone(character) && selector !== EMOJI_SELECTOR && !codePoints.includes(KEYCAP)) return 'text';
  if (selector !== undefined) return selector === EMOJI_SELECTOR ? 'emoji' : 'emojiText';
  // Half a flag is a letter.
  if (INDICATOR.test(character) && !INDICATOR.test(characterAt(codePoints, 1))) return 'emojiText';
  if (presentation !== 'unicode') return presentation === 'emoji' ? 'emoji' : 'emojiText';
  return EMOJI_BY_DEFAULT.test(character) || isSequence(codePoints) ? 'emoji' : 'emojiText';
}

/** Digits, # and * have the property Emoji only for what a selector or a keycap makes of them. */
function isEmojiAlone(character: string): boolean {
  return PICTOGRAPHIC.test(character) || EMOJI_BY_DEFAULT.test(character);
}

/**
 * The code points that a face must draw. Selectors of a presentation have chosen the face, and joiners at the end join
 * nothing; without them most clusters are one code point, which needs no shaping.
 */
export function drawnCodePoints(codePoints: readonly number[]): readonly number[] {
  const { length } = codePoints;
  // A font may have a glyph for a character with a selector, which is found without shaping.
  if (length === 1 || (length === 2 && isSelector(codePoints[1]))) return codePoints;
  const drawn = codePoints.filter((code, index) => index === 0 || !isSelector(code));
  while (drawn.length > 1 && (drawn.at(-1) === JOINER || drawn.at(-1) === NON_JOINER)) drawn.pop();
  return drawn;
}

function isSelector(code: number | undefined): boolean {
  return code === TEXT_SELECTOR || code === EMOJI_SELECTOR;
}

/** The first selector that follows a character it is for. */
function selectorIn(codePoints: readonly number[]): number | undefined {
  return codePoints.find(
    (code, index) => isSelector(code) && index > 0 && EMOJI.test(characterAt(codePoints, index - 1)),
  );
}

/** Whether an emoji with the presentation of text by itself is part of a larger one: joined, or with a skin tone. */
function isSequence(codePoints: readonly number[]): boolean {
  return codePoints.some(
    (code, index) =>
      index > 0 &&
      (MODIFIER.test(String.fromCodePoint(code)) ||
        (code === JOINER && PICTOGRAPHIC.test(characterAt(codePoints, index + 1)))),
  );
}

function characterAt(codePoints: readonly number[], index: number): string {
  const code = codePoints[index];
  return code === undefined ? '' : String.fromCodePoint(code);
}
