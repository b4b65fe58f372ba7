import { type KeysymModifier, MODIFIER_BITS } from './event-pattern.ts';

/** A modifier is a bit, or identified by the keysyms of its left and right key. */
export type Modifier = { bit: number } | { keysyms: readonly number[] };

/** Keysyms of the left keys; keysymdef.h. The right key's keysym is the next one. */
const META_LEFT = 0xffe7;
const ALT_LEFT = 0xffe9;
const SUPER_LEFT = 0xffeb;
const HYPER_LEFT = 0xffed;

const bit = (name: keyof typeof MODIFIER_BITS): Modifier => ({ bit: MODIFIER_BITS[name] });
const pair = (left: number): Modifier => ({ keysyms: [left, left + 1] });

/** Names and abbreviations of modifiers in the toolkit; `Control` and `Caps` are added. */
const MODIFIERS = new Map<string, Modifier>([
  ...Object.entries(MODIFIER_BITS).map(([name, value]) => [name, { bit: value }] as const),
  ['s', bit('Shift')],
  ['l', bit('Lock')],
  ['Caps', bit('Lock')],
  ['c', bit('Ctrl')],
  ['^', bit('Ctrl')],
  ['Control', bit('Ctrl')],
  ['Meta', pair(META_LEFT)],
  ['m', pair(META_LEFT)],
  ['$', pair(META_LEFT)],
  ['Alt', pair(ALT_LEFT)],
  ['a', pair(ALT_LEFT)],
  ['Super', pair(SUPER_LEFT)],
  ['su', pair(SUPER_LEFT)],
  ['Hyper', pair(HYPER_LEFT)],
  ['h', pair(HYPER_LEFT)],
]);

export function modifierNamed(name: string): Modifier | undefined {
  return MODIFIERS.get(name);
}

export const metaHeld: KeysymModifier = { keysyms: [META_LEFT, META_LEFT + 1], isHeld: true };
