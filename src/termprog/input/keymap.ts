import { KEYSYM } from './keysyms.ts';

/** Bits of an event's state; X11 protocol, KEYBUTMASK. */
export const STATE = {
  shift: 1 << 0,
  lock: 1 << 1,
  control: 1 << 2,
  mod1: 1 << 3,
} as const;

const GROUP_SHIFT = 13;
const GROUP_MASK = 3;

/** Replaces the group in effect in a state. */
export const withGroup = (state: number, group: number): number =>
  (state & ~(GROUP_MASK << GROUP_SHIFT)) | (group << GROUP_SHIFT);

export const GROUPS = GROUP_MASK + 1;

/** Returns the group in effect, from 0 to 3. */
export const groupIn = (state: number): number => (state >> GROUP_SHIFT) & GROUP_MASK;

/** State bits of the modifiers whose position depends on the keyboard; 0 when the keyboard lacks one. */
export interface ModifierBits {
  alt: number;
  meta: number;
  super: number;
  hyper: number;
  numLock: number;
  level3: number;
  /** The Lock bit when it is Caps Lock. */
  capsLock: number;
  /** The Lock bit when it is Shift Lock, and not Caps Lock. */
  shiftLock: number;
}

/** Maps keys with the held modifiers to keysyms; 0 for a key without meaning. */
export interface Keymap {
  readonly modifiers: ModifierBits;
  keysym(keycode: number, state: number): number;
  /** The key's meaning without modifiers in the group in effect, for bindings that ignore Shift. */
  plainKeysym(keycode: number, state: number): number;
  /** The key's meaning with Shift alone, in the group in effect. */
  shiftedKeysym(keycode: number, state: number): number;
  /** The state bit of the first modifier that a key with this keysym sets; 0 if there is none. */
  modifierBit(keysym: number): number;
}

/** @param bitsOf the modifiers that keys with one of these keysyms set */
export function modifierBits(bitsOf: (...keysyms: number[]) => number): ModifierBits {
  const capsLock = bitsOf(KEYSYM.capsLock) & STATE.lock;
  return {
    alt: bitsOf(KEYSYM.altLeft, KEYSYM.altRight),
    meta: bitsOf(KEYSYM.metaLeft, KEYSYM.metaRight),
    super: bitsOf(KEYSYM.superLeft, KEYSYM.superRight),
    hyper: bitsOf(KEYSYM.hyperLeft, KEYSYM.hyperRight),
    numLock: bitsOf(KEYSYM.numLock),
    level3: bitsOf(KEYSYM.level3Shift, KEYSYM.modeSwitch),
    capsLock,
    shiftLock: capsLock === 0 ? bitsOf(KEYSYM.shiftLock) & STATE.lock : 0,
  };
}

/** Returns the lowest set bit; 0 for 0. */
export function lowestBit(bits: number): number {
  return bits & -bits;
}
