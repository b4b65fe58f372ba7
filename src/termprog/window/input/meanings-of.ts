import { KeyMeanings } from '../../input/key-meanings.ts';
import type { Keymap } from '../../input/keymap.ts';

/** Returns a getter for the meanings of keys in the keymap in force; the object is cached until the keymap changes. */
export function meaningsOf(keymap: () => Keymap): () => KeyMeanings {
  let known: { keymap: Keymap; meanings: KeyMeanings } | undefined;
  return () => {
    const inForce = keymap();
    if (known?.keymap !== inForce) known = { keymap: inForce, meanings: new KeyMeanings(inForce) };
    return known.meanings;
  };
}
