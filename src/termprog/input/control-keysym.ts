import { keyText } from './key-text.ts';
import { GROUPS, type Keymap, withGroup } from './keymap.ts';

/**
 * Returns the keysym from which Control derives a key's control character. If the key's letter has no control
 * character, such as a Cyrillic one, the keysym of the first group that has one is used, as in libX11.
 */
export function controlKeysym(
  keymap: Keymap,
  keysym: number,
  { keycode, state }: { keycode: number; state: number },
): number {
  const alone = keyText(keysym, false);
  // ASCII letters and keys without text are unchanged.
  if (alone === '' || alone.charCodeAt(0) < 0x80) return keysym;
  for (let group = 0; group < GROUPS; group += 1) {
    const other = keymap.keysym(keycode, withGroup(state, group));
    if (/^\p{Cc}$/u.test(keyText(other, true))) return other;
  }
  return keysym;
}
