import { KeyMeanings } from '../input/key-meanings.ts';
import type { Keymap } from '../input/keymap.ts';

/** What keys mean by the keymap in force; the same object while that does not change, which is seldom. */
export function meaningsOf(keymap: () => Keymap): () => KeyMeanings {
  let known: { keymap: Keymap; meanings: KeyMeanings } | undefined;
  return () => {
    const inForce = keymap();
    if (known?.keymap !== inForce) known = { keymap: inForce, meanings: new KeyMeanings(inForce) };
    return known.meanings;
  };
}
