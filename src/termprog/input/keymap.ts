import { characterOf, isKeypad, KEYSYM } from './keysyms.ts';

/** Bits of an event's state; X11 protocol, KEYBUTMASK. */
export const STATE = {
  shift: 1 << 0,
  lock: 1 << 1,
  control: 1 << 2,
  mod1: 1 << 3,
} as const;

const GROUP_SHIFT = 13;
const GROUP_MASK = 3;

/** Columns of a row with three or four groups: the first two groups take four, then each has all its levels. */
const COLUMNS_BEFORE_THIRD_GROUP = 4;

/** State bits of the modifiers whose place depends on the keyboard; 0 when the keyboard lacks one. */
export interface ModifierBits {
  alt: number;
  meta: number;
  super: number;
  hyper: number;
  numLock: number;
  level3: number;
  /** The Lock bit when it is Caps Lock. */
  capsLock: number;
}

/** Which keysym a key means with the modifiers held. */
export class Keymap {
  readonly modifiers: ModifierBits;
  readonly #rows: readonly (readonly number[])[];
  readonly #firstKeycode: number;
  readonly #modifierRows: readonly (readonly number[])[];

  /**
   * @param rows keysyms of each keycode from `firstKeycode` on, as the server has them
   * @param modifierRows keycodes of the eight modifiers
   */
  constructor(
    rows: readonly (readonly number[])[],
    firstKeycode: number,
    modifierRows: readonly (readonly number[])[],
  ) {
    this.#rows = rows;
    this.#firstKeycode = firstKeycode;
    this.#modifierRows = modifierRows;
    const bitsOf = (...keysyms: number[]): number =>
      modifierRows.reduce((bits, keycodes, index) => {
        const isOn = keycodes.some((keycode) => this.#row(keycode).some((keysym) => keysyms.includes(keysym)));
        return isOn ? bits | (1 << index) : bits;
      }, 0);
    this.modifiers = {
      alt: bitsOf(KEYSYM.altLeft, KEYSYM.altRight),
      meta: bitsOf(KEYSYM.metaLeft, KEYSYM.metaRight),
      super: bitsOf(KEYSYM.superLeft, KEYSYM.superRight),
      hyper: bitsOf(KEYSYM.hyperLeft, KEYSYM.hyperRight),
      numLock: bitsOf(KEYSYM.numLock),
      level3: bitsOf(KEYSYM.level3Shift),
      capsLock: bitsOf(KEYSYM.capsLock) & STATE.lock,
    };
  }

  /** 0 for a key that means nothing. */
  keysym(keycode: number, state: number): number {
    const row = this.#row(keycode);
    const group = (state >> GROUP_SHIFT) & GROUP_MASK;
    const isLevel3 = (state & this.modifiers.level3) !== 0;
    const [plain, shifted] = levelsOf(row, group, isLevel3);
    const isShifted = (state & STATE.shift) !== 0;
    // With Num Lock, Shift gives the key's meaning without Num Lock; without Num Lock, Shift is only a modifier.
    if (isKeypad(shifted)) return !isShifted && (state & this.modifiers.numLock) !== 0 ? shifted : plain;
    const chosen = isShifted ? shifted : plain;
    return (state & this.modifiers.capsLock) === 0 ? chosen : capitalized(chosen, plain, shifted, isShifted);
  }

  /** The key's meaning without modifiers, for bindings that ignore Shift. */
  plainKeysym(keycode: number, state: number): number {
    return levelsOf(this.#row(keycode), (state >> GROUP_SHIFT) & GROUP_MASK, false)[0];
  }

  /** The state bit of the first modifier that a key with this keysym sets; 0 when there is none. */
  modifierBit(keysym: number): number {
    const index = this.#modifierRows.findIndex((keycodes) =>
      keycodes.some((keycode) => this.#row(keycode).includes(keysym)),
    );
    return index < 0 ? 0 : 1 << index;
  }

  #row(keycode: number): readonly number[] {
    return this.#rows[keycode - this.#firstKeycode] ?? [];
  }
}

/** The keysyms without and with Shift. A group or level that is not there falls back to the one before it. */
function levelsOf(row: readonly number[], group: number, isLevel3: boolean): [plain: number, shifted: number] {
  const at = (column: number): number => row[column] ?? KEYSYM.none;
  const hasManyGroups = row.length > 2 * COLUMNS_BEFORE_THIRD_GROUP + 2;
  let column =
    group < 2 ? 2 * group : COLUMNS_BEFORE_THIRD_GROUP + ((group - 2) * (row.length - COLUMNS_BEFORE_THIRD_GROUP)) / 2;
  if (at(column) === KEYSYM.none) column = 0;
  const third = isLevel3 && !hasManyGroups ? COLUMNS_BEFORE_THIRD_GROUP + column : -1;
  if (third >= 0 && at(third) !== KEYSYM.none) column = third;
  const plain = at(column);
  const shifted = at(column + 1) === KEYSYM.none ? capital(plain) : at(column + 1);
  return [plain, shifted];
}

/** Caps Lock turns small letters to capitals; where Shift gives the capital, both together give the small letter. */
function capitalized(chosen: number, plain: number, shifted: number, isShifted: boolean): number {
  const isPair = plain !== shifted && capital(plain) === shifted;
  if (isPair) return isShifted ? plain : shifted;
  return capital(chosen);
}

/** The keysym of the capital letter; the same for anything else. */
function capital(keysym: number): number {
  const character = characterOf(keysym);
  const upper = character?.toUpperCase();
  if (character === undefined || upper === undefined || upper === character || upper.length !== character.length)
    return keysym;
  const codePoint = upper.codePointAt(0) ?? 0;
  if (keysym < 0x100) return codePoint < 0x100 ? codePoint : keysym;
  // The older sets of Cyrillic keep capitals 32 above, those of Greek 32 below; Unicode keysyms carry the code point.
  if (keysym >= 0x0100_0000) return 0x0100_0000 + codePoint;
  if (keysym >= 0x6c0 && keysym <= 0x6df) return keysym + 0x20;
  return keysym >= 0x7e1 && keysym <= 0x7f9 ? keysym - 0x20 : keysym;
}
