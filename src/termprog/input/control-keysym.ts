import { keyText } from './key-text.ts';
import { GROUPS, type Keymap, withGroup } from './keymap.ts';

/**
 * The keysym by which Control makes a control character of a key. A key whose letter has none, such as a Cyrillic one, is
 * taken from the first group of the keyboard where it has one; libX11 does so too.
 */
export function controlKeysym(
  keymap: Keymap,
  keysym: number,
  { keycode, state }: { keycode: number; state: number },
): number {
  const alone = keyText(keysym, false);
  // Letters of ASCII and keys without text are as they are.
  if (alone === '' || alone.charCodeAt(0) < 0x80) return keysym;
  for (let group = 0; group < GROUPS; group += 1) {
    const other = keymap.keysym(keycode, withGroup(state, group));
    if (/^\p{Cc}$/u.test(keyText(other, true))) return other;
  }
  return keysym;
}
