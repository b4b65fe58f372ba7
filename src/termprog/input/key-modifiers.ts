import type { ModifierBits } from './keymap.ts';
import { STATE } from './keymap.ts';

/** The modifiers that are held or locked. */
export interface KeyModifiers {
  shift: boolean;
  /** Alt; also when it shares its modifier with Meta, as on PC keyboards. */
  alt: boolean;
  control: boolean;
  /** Meta, if it is a modifier of its own. */
  meta: boolean;
  super: boolean;
  hyper: boolean;
  capsLock: boolean;
  numLock: boolean;
  /** Alt is also Meta. */
  altIsMeta: boolean;
}

/** Reads the modifiers in an event's state. */
export function keyModifiers(bits: ModifierBits, state: number): KeyModifiers {
  // On a keyboard without Alt, Meta takes its place.
  const alt = bits.alt === 0 ? bits.meta : bits.alt;
  return {
    shift: (state & STATE.shift) !== 0,
    alt: (state & alt) !== 0,
    control: (state & STATE.control) !== 0,
    meta: (state & bits.meta & ~alt) !== 0,
    super: (state & bits.super & ~alt) !== 0,
    hyper: (state & bits.hyper & ~(alt | bits.super)) !== 0,
    capsLock: (state & bits.capsLock) !== 0,
    numLock: (state & bits.numLock) !== 0,
    altIsMeta: (alt & bits.meta) !== 0,
  };
}
