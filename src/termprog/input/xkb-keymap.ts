import type { KeySymbols, XkbMap } from '../x11/xkb.ts';
import { groupIn, type Keymap, lowestBit, type ModifierBits, modifierBits, STATE } from './keymap.ts';
import { capitalOf, KEYSYM } from './keysyms.ts';

/** Treatment of a group beyond those of a key; XKB protocol. */
const CLAMP_GROUP = 0x40;
const REDIRECT_GROUP = 0x80;
const GROUP_COUNT_MASK = 0xf;

/** The keyboard in XKB's form: each key has its own groups, and a type per group that determines its levels. */
export class XkbKeymap implements Keymap {
  readonly modifiers: ModifierBits;
  readonly #map: XkbMap;
  /** Cache of the last lookup: every stage that handles a key looks up the same one. */
  #lastKeycode = -1;
  #lastState = 0;
  #lastKeysym: number = KEYSYM.none;

  constructor(map: XkbMap) {
    this.#map = map;
    this.modifiers = modifierBits((...keysyms) => this.#bitsOf(...keysyms));
  }

  keysym(keycode: number, state: number): number {
    if (keycode === this.#lastKeycode && state === this.#lastState) return this.#lastKeysym;
    const keysym = this.#find(keycode, state);
    this.#lastKeycode = keycode;
    this.#lastState = state;
    this.#lastKeysym = keysym;
    return keysym;
  }

  #find(keycode: number, state: number): number {
    const key = this.#key(keycode);
    if (key === undefined) return KEYSYM.none;
    const group = groupOf(key, groupIn(state));
    if (group === undefined) return KEYSYM.none;
    const type = this.#map.types[key.types[group] ?? 0];
    const mask = type?.mask ?? 0;
    const keysym = key.keysyms[group * key.width + (type?.levels.get(state & mask) ?? 0)] ?? KEYSYM.none;
    // Caps Lock makes capitals even if it selects no level.
    return (state & ~mask & this.modifiers.capsLock) === 0 ? keysym : capitalOf(keysym);
  }

  plainKeysym(keycode: number, state: number): number {
    return this.#alone(keycode, state, 0);
  }

  shiftedKeysym(keycode: number, state: number): number {
    return this.#alone(keycode, state, STATE.shift);
  }

  modifierBit(keysym: number): number {
    return lowestBit(this.#bitsOf(keysym));
  }

  /** Returns the modifiers that keys with one of these keysyms set. */
  #bitsOf(...keysyms: number[]): number {
    let bits = 0;
    for (const [keycode, modifiers] of this.#map.modifiers) {
      if (this.#key(keycode)?.keysyms.some((keysym) => keysyms.includes(keysym)) === true) bits |= modifiers;
    }
    return bits;
  }

  #alone(keycode: number, state: number, modifiers: number): number {
    return this.keysym(keycode, (state & ~0xff) | modifiers);
  }

  #key(keycode: number): KeySymbols | undefined {
    return this.#map.key(keycode - this.#map.firstKeycode);
  }
}

/** Returns the key's group for the one in effect; undefined for a key without groups. */
function groupOf({ groupInfo }: KeySymbols, group: number): number | undefined {
  const count = groupInfo & GROUP_COUNT_MASK;
  if (count === 0) return undefined;
  if (group < count) return group;
  if ((groupInfo & CLAMP_GROUP) !== 0) return count - 1;
  if ((groupInfo & REDIRECT_GROUP) === 0) return group % count;
  const other = (groupInfo >> 4) & 3;
  return other < count ? other : 0;
}
