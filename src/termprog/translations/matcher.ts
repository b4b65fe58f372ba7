import type { ActionCall, Binding, BoundEvent, ModifierName } from './binding.ts';

/** The state bit of each modifier on this keyboard; 0 for one it does not have. */
export type ModifierMasks = Readonly<Record<ModifierName, number>>;

/** The event that bindings are compared with. */
export interface InputEvent {
  event: BoundEvent;
  state: number;
  /** Keysyms a key may be bound by: with the modifiers held, and without Shift. For buttons, the number. */
  details: readonly number[];
}

/** The modifiers whose bits are the same on every keyboard. */
export const FIXED_MASKS = {
  Shift: 1 << 0,
  Lock: 1 << 1,
  Ctrl: 1 << 2,
  Mod1: 1 << 3,
  Mod2: 1 << 4,
  Mod3: 1 << 5,
  Mod4: 1 << 6,
  Mod5: 1 << 7,
  Button1: 1 << 8,
  Button2: 1 << 9,
  Button3: 1 << 10,
  Button4: 1 << 11,
  Button5: 1 << 12,
} as const;

/** Every modifier bit of an event's state. */
const ALL_MODIFIERS = 0x1fff;

/** The actions of the first binding that fits; undefined when none does. */
export function matchBinding(
  bindings: readonly Binding[],
  event: InputEvent,
  masks: ModifierMasks,
): readonly ActionCall[] | undefined {
  return bindings.find((binding) => fits(binding, event, masks))?.calls;
}

function fits(binding: Binding, { event, state, details }: InputEvent, masks: ModifierMasks): boolean {
  if (binding.event !== event) return false;
  if (binding.detail !== undefined && !details.includes(binding.detail)) return false;
  const isHeld = (modifier: ModifierName): boolean => (state & masks[modifier]) !== 0;
  if (!binding.required.every(isHeld) || binding.forbidden.some(isHeld)) return false;
  if (!binding.isExact) return true;
  const allowed = binding.required.reduce((bits, modifier) => bits | masks[modifier], 0);
  return (state & ALL_MODIFIERS & ~allowed) === 0;
}
