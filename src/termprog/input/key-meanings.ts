import { type Keymap, STATE } from './keymap.ts';
import { KEYSYM } from './keysyms.ts';

/** One meaning of a key, and the modifiers that select it. */
interface Meaning {
  modifiers: number;
  keysym: number;
}

const GROUPS = 0x6000;

/** Alt takes Meta's place on a keyboard without Meta, as X programs expect. */
const STAND_INS = new Map<number, number>([
  [KEYSYM.metaLeft, KEYSYM.altLeft],
  [KEYSYM.metaRight, KEYSYM.altRight],
]);

/**
 * The meanings of keys in all states, for matching bindings. An object belongs to one keymap and caches its results.
 */
export class KeyMeanings {
  readonly #keymap: Keymap;
  /** Bits that select among a key's meanings, on any keyboard. */
  readonly #choosing: readonly number[];
  /** Keycode and group → meanings. */
  readonly #meanings = new Map<number, readonly Meaning[]>();
  readonly #bits = new Map<number, number>();

  constructor(keymap: Keymap) {
    this.#keymap = keymap;
    const { capsLock, numLock, level3 } = keymap.modifiers;
    this.#choosing = [...new Set([STATE.shift, capsLock, numLock, level3])].filter((bit) => bit !== 0);
  }

  /** Returns the state bit of a modifier that a key with this keysym sets; 0 if there is none. */
  modifierBit(keysym: number): number {
    let bit = this.#bits.get(keysym);
    if (bit === undefined) {
      bit = this.#keymap.modifierBit(keysym);
      const standIn = STAND_INS.get(keysym);
      if (standIn !== undefined && this.#keymap.modifiers.meta === 0) bit = this.#keymap.modifierBit(standIn);
      this.#bits.set(keysym, bit);
    }
    return bit;
  }

  /**
   * Whether the key has this meaning with some selecting modifiers outside `fixed`, regardless of those held now. Keys
   * of the first group count in every other group, too: a binding of a Latin letter works with a Cyrillic layout.
   */
  canMean(keycode: number, state: number, keysym: number, fixed: number): boolean {
    const isMeant = (meaning: Meaning): boolean => meaning.keysym === keysym && (meaning.modifiers & fixed) === 0;
    const group = state & GROUPS;
    return (
      this.#meaningsOf(keycode, group).some(isMeant) || (group !== 0 && this.#meaningsOf(keycode, 0).some(isMeant))
    );
  }

  /** Returns the key's meaning in this state, and the modifiers that select among its meanings. */
  meaning(keycode: number, state: number): { keysym: number; consumed: number } {
    const meanings = this.#meaningsOf(keycode, state & GROUPS);
    return {
      keysym: this.#keymap.keysym(keycode, state),
      consumed: meanings.reduce((all, { modifiers }) => all | modifiers, 0),
    };
  }

  /** Each meaning with the fewest modifiers: combinations whose further modifiers change nothing are omitted. */
  #meaningsOf(keycode: number, group: number): readonly Meaning[] {
    const key = (keycode << 16) | group;
    const known = this.#meanings.get(key);
    if (known !== undefined) return known;
    const meanings: Meaning[] = [];
    for (let choice = 0; choice < 1 << this.#choosing.length; choice += 1) {
      const modifiers = this.#choosing.reduce((all, bit, index) => ((choice >> index) & 1 ? all | bit : all), 0);
      const keysym = this.#keymap.keysym(keycode, group | modifiers);
      const isThere = meanings.some(
        (less) => less.keysym === keysym && (less.modifiers & modifiers) === less.modifiers,
      );
      if (!isThere && keysym !== KEYSYM.none) meanings.push({ modifiers, keysym });
    }
    this.#meanings.set(key, meanings);
    return meanings;
  }
}
