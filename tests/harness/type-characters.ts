import type { XDesktop } from './start-termprog.ts';

/** First keycode that usual keyboards do not have; those after it are free, too. */
const FIRST_SPARE_KEYCODE = 231;
const SPARE_KEYS = 20;

/**
 * Types characters that the keyboard need not have. Each has a key of its own before the first is pressed: xdotool's
 * `type` gives them one key by turns, and on a busy machine a program learns the key's meaning too late.
 */
export async function typeCharacters(desktop: XDesktop, text: string): Promise<void> {
  const characters = [...new Set(text)];
  if (characters.length > SPARE_KEYS) throw new Error(`expected at most ${SPARE_KEYS} characters, found "${text}"`);
  const keysym = (character: string): string => `U${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;
  const keycode = (character: string): number => FIRST_SPARE_KEYCODE + characters.indexOf(character);
  const lines = characters.flatMap((each) => ['-e', `keycode ${keycode(each)} = ${keysym(each)}`]);
  await desktop.run('xmodmap', ...lines);
  await desktop.run('xdotool', 'key', ...[...text].map((each) => `${keycode(each)}`));
}
