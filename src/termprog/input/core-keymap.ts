import { groupIn, type Keymap, lowestBit, type ModifierBits, modifierBits, STATE } from './keymap.ts';
import { capitalOf, isKeypad, KEYSYM } from './keysyms.ts';

/** Columns of a row with three or four groups: the first two groups take four, then each has all its levels. */
const COLUMNS_BEFORE_THIRD_GROUP = 4;

/** The keyboard of a server without XKB: four keysyms per key, and the further columns that servers with XKB send. */
export class CoreKeymap implements Keymap {
  readonly modifiers: ModifierBits;
  readonly #rows: readonly (readonly number[])[];
  readonly #firstKeycode: number;
  readonly #bitsOf: (...keysyms: number[]) => number;

  /**
   * @param rows keysyms of each keycode from `firstKeycode` on, as sent by the server
   * @param modifierRows keycodes of the eight modifiers
   */
  constructor(
    rows: readonly (readonly number[])[],
    firstKeycode: number,
    modifierRows: readonly (readonly number[])[],
  ) {
    this.#rows = rows;
    this.#firstKeycode = firstKeycode;
    this.#bitsOf = (...keysyms) =>
      modifierRows.reduce((bits, keycodes, index) => {
        const isOn = keycodes.some((keycode) => this.#row(keycode).some((keysym) => keysyms.includes(keysym)));
        return isOn ? bits | (1 << index) : bits;
      }, 0);
    this.modifiers = modifierBits(this.#bitsOf);
  }

  keysym(keycode: number, state: number): number {
    const [plain, shifted] = this.#levels(keycode, state);
    const isShifted = (state & (STATE.shift | this.modifiers.shiftLock)) !== 0;
    // With Num Lock, Shift gives the key's meaning without Num Lock; without Num Lock, Shift is only a modifier.
    if (isKeypad(shifted)) return !isShifted && (state & this.modifiers.numLock) !== 0 ? shifted : plain;
    const chosen = isShifted ? shifted : plain;
    return (state & this.modifiers.capsLock) === 0 ? chosen : capitalized(chosen, plain, shifted, isShifted);
  }

  plainKeysym(keycode: number, state: number): number {
    return levelsOf(this.#row(keycode), groupIn(state), false)[0];
  }

  shiftedKeysym(keycode: number, state: number): number {
    return levelsOf(this.#row(keycode), groupIn(state), false)[1];
  }

  modifierBit(keysym: number): number {
    return lowestBit(this.#bitsOf(keysym));
  }

  #levels(keycode: number, state: number): [plain: number, shifted: number] {
    return levelsOf(this.#row(keycode), groupIn(state), (state & this.modifiers.level3) !== 0);
  }

  #row(keycode: number): readonly number[] {
    return this.#rows[keycode - this.#firstKeycode] ?? [];
  }
}

/** Returns the keysyms without and with Shift. A missing group or level falls back to the one before it. */
function levelsOf(row: readonly number[], group: number, isLevel3: boolean): [plain: number, shifted: number] {
  const at = (column: number): number => row[column] ?? KEYSYM.none;
  const hasManyGroups = row.length > 2 * COLUMNS_BEFORE_THIRD_GROUP + 2;
  let column =
    group < 2 ? 2 * group : COLUMNS_BEFORE_THIRD_GROUP + ((group - 2) * (row.length - COLUMNS_BEFORE_THIRD_GROUP)) / 2;
  if (at(column) === KEYSYM.none) column = 0;
  const third = isLevel3 && !hasManyGroups ? COLUMNS_BEFORE_THIRD_GROUP + column : -1;
  if (third >= 0 && at(third) !== KEYSYM.none) column = third;
  const plain = at(column);
  const shifted = at(column + 1) === KEYSYM.none ? capitalOf(plain) : at(column + 1);
  return [plain, shifted];
}

/**
 * Applies Caps Lock, which turns small letters to capitals; if Shift already gives the capital, both together give the
 * small letter.
 */
function capitalized(chosen: number, plain: number, shifted: number, isShifted: boolean): number {
  const isPair = plain !== shifted && capitalOf(plain) === shifted;
  if (isPair) return isShifted ? plain : shifted;
  return capitalOf(chosen);
}
