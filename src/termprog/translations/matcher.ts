import {
  ALL_MODIFIERS,
  type BoundEvent,
  BUTTON_BITS,
  buttonBit,
  type EventPattern,
  type ModifierPattern,
} from './event-pattern.ts';

/** The event that bindings are compared with. */
export interface InputEvent {
  event: BoundEvent;
  /** Modifiers and buttons; 0 for events without. */
  state: number;
  /** Number of a button, mode of a focus or crossing, atom, ...; 0 for events without. */
  detail: number;
  /** Of a key; 0 for other events. */
  keycode: number;
}

/** What the keyboard says about keys and modifiers. */
export interface KeyMeanings {
  /** The state bit of a modifier that a key with this keysym sets; 0 when there is none. */
  modifierBit(keysym: number): number;
  /** Whether the key means it in some state that differs from nothing held in the modifiers outside of `fixed` only. */
  canMean(keycode: number, state: number, keysym: number, fixed: number): boolean;
  /** What the key means with what is held, and the modifiers that choose between its meanings. */
  meaning(keycode: number, state: number): { keysym: number; consumed: number };
}

/** Numbers of atoms by name; undefined while the server has not told. */
export type AtomNamed = (name: string) => number | undefined;

/** The bits of a pattern on one keyboard; undefined when that has no such modifier. */
export type ResolvedModifiers = Pick<ModifierPattern, 'mask' | 'held'> | undefined;

/** Finds the bits of modifiers that are named by keysyms. A modifier that the keyboard lacks is never held. */
export function resolveModifiers({ mask, held, byKeysym }: ModifierPattern, keys: KeyMeanings): ResolvedModifiers {
  const resolved = { mask, held };
  for (const { keysyms, isHeld } of byKeysym) {
    const bits = keysyms.reduce((all, keysym) => all | keys.modifierBit(keysym), 0);
    if (bits === 0 && isHeld) return undefined;
    resolved.mask |= bits;
    if (isHeld) resolved.held |= bits;
  }
  return resolved;
}

/** Whether an event is the one that a pattern means. */
export function fits(
  pattern: EventPattern,
  modifiers: NonNullable<ResolvedModifiers>,
  event: InputEvent,
  parts: { keys: KeyMeanings; atomNamed: AtomNamed },
): boolean {
  if (pattern.event !== event.event) return false;
  if (pattern.needsButton && (event.state & BUTTON_BITS) === 0) return false;
  if (pattern.event === 'KeyPress' || pattern.event === 'KeyRelease') {
    return keyFits(pattern, modifiers, event, parts.keys);
  }
  const { detail } = pattern;
  if (detail !== undefined && event.detail !== (typeof detail === 'string' ? parts.atomNamed(detail) : detail))
    return false;
  const { mask, held } = modifiers;
  // A button that goes up is still in the state.
  const compared = mask & ALL_MODIFIERS & ~(pattern.event === 'ButtonRelease' ? buttonBit(event.detail) : 0);
  return (event.state & compared) === (held & compared);
}

function keyFits(
  { isStandard, detail }: EventPattern,
  { mask, held }: NonNullable<ResolvedModifiers>,
  { keycode, state }: InputEvent,
  keys: KeyMeanings,
): boolean {
  const compared = mask & ALL_MODIFIERS;
  if (!isStandard) {
    if ((state & compared) !== (held & compared)) return false;
    return typeof detail !== 'number' || keys.canMean(keycode, state, detail, mask);
  }
  const { keysym, consumed } = keys.meaning(keycode, state);
  return (detail ?? keysym) === keysym && (state & ~consumed & compared) === (held & compared);
}
