import type { ModifierBits } from './keymap.ts';
import { STATE } from './keymap.ts';

/** Which modifiers are held or locked. */
export interface KeyModifiers {
  shift: boolean;
  /** Alt; also when it shares its modifier with Meta, as on PC keyboards. */
  alt: boolean;
  control: boolean;
  /** Meta, where it is a modifier of its own. */
  meta: boolean;
  super: boolean;
  hyper: boolean;
  capsLock: boolean;
  numLock: boolean;
  /** Alt is Meta as well. */
  altIsMeta: boolean;
}

/** The modifiers in an event's state. */
export function keyModifiers(bits: ModifierBits, state: number): KeyModifiers {
  const has = (mask: number): boolean => (state & mask) !== 0;
  // A keyboard without Alt has Meta in its place.
  const alt = bits.alt === 0 ? bits.meta : bits.alt;
  return {
    shift: has(STATE.shift),
    alt: has(alt),
    control: has(STATE.control),
    meta: has(bits.meta & ~alt),
    super: has(bits.super & ~alt),
    hyper: has(bits.hyper & ~(alt | bits.super)),
    capsLock: has(bits.capsLock),
    numLock: has(bits.numLock),
    altIsMeta: (alt & bits.meta) !== 0,
  };
}
