/**
 * Presentation of emoji: by Unicode, all as text, or all as emoji. @spec termprog#terminal-widget-resources-termvt100
 * emojiPresentation
 */
export type EmojiPresentation = 'unicode' | 'text' | 'emoji';

/**
 * The kind of a cluster, which determines its face: an emoji in colours, an emoji as a sign among text, text in the Han
 * script, or other text.
 */
export type ClusterKind = 'emoji' | 'emojiText' | 'han' | 'text';

const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;
const JOINER = 0x200d;
const NON_JOINER = 0x200c;
const KEYCAP = 0x20e3;

// Node's Unicode properties: exact, of the same version as the table of widths, and without data of our own. They are
// functions, because V8 collects a property's characters when it meets the expression, and a start needs none.
const isEmoji = (text: string): boolean => /^\p{Emoji}/u.test(text);
const isPictographic = (text: string): boolean => /^\p{Extended_Pictographic}/u.test(text);
const isEmojiByDefault = (text: string): boolean => /^\p{Emoji_Presentation}/u.test(text);
const isIndicator = (text: string): boolean => /^\p{Regional_Indicator}/u.test(text);
const isModifier = (text: string): boolean => /^\p{Emoji_Modifier}/u.test(text);
const isHan = (text: string): boolean => /^\p{Script=Han}/u.test(text);

/**
 * Returns the kind of a cluster; its first code point is its base. A variation selector after an emoji overrides the
 * option.
 */
export function kindOf(codePoints: readonly number[], presentation: EmojiPresentation): ClusterKind {
  const [base = 0] = codePoints;
  const character = String.fromCodePoint(base);
  if (!isEmoji(character)) return isHan(character) ? 'han' : 'text';
  const selector = selectorIn(codePoints);
  if (!isEmojiAlone(character) && selector !== EMOJI_SELECTOR && !codePoints.includes(KEYCAP)) return 'text';
  if (selector !== undefined) return selector === EMOJI_SELECTOR ? 'emoji' : 'emojiText';
  // A single regional indicator is a letter.
  if (isIndicator(character) && !isIndicator(characterAt(codePoints, 1))) return 'emojiText';
  if (presentation !== 'unicode') return presentation === 'emoji' ? 'emoji' : 'emojiText';
  return isEmojiByDefault(character) || isSequence(codePoints) ? 'emoji' : 'emojiText';
}

/**
 * Whether the character is an emoji by itself: digits, # and * have the property Emoji only for sequences with a
 * selector or a keycap.
 */
function isEmojiAlone(character: string): boolean {
  return isPictographic(character) || isEmojiByDefault(character);
}

/**
 * Returns the code points that a face must draw. Presentation selectors have already chosen the face, and trailing
 * joiners have no effect; without them most clusters are one code point, which needs no shaping.
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

/** Returns the first selector after a character to which it applies. */
function selectorIn(codePoints: readonly number[]): number | undefined {
  return codePoints.find((code, index) => isSelector(code) && index > 0 && isEmoji(characterAt(codePoints, index - 1)));
}

/** Whether an emoji with default text presentation is part of a sequence: joined, or with a skin tone. */
function isSequence(codePoints: readonly number[]): boolean {
  return codePoints.some(
    (code, index) =>
      index > 0 &&
      (isModifier(String.fromCodePoint(code)) ||
        (code === JOINER && isPictographic(characterAt(codePoints, index + 1)))),
  );
}

function characterAt(codePoints: readonly number[], index: number): string {
  const code = codePoints[index];
  return code === undefined ? '' : String.fromCodePoint(code);
}
