import {
  ALL_MODIFIERS,
  type BoundEvent,
  BUTTON_BITS,
  buttonBit,
  type EventPattern,
  type ModifierPattern,
} from './event-pattern.ts';

/** The event that is matched against bindings. */
export interface InputEvent {
  event: BoundEvent;
  /** Modifiers and buttons; 0 for events without them. */
  state: number;
  /** Number of a button, mode of a focus or crossing, atom, ...; 0 for events without it. */
  detail: number;
  /** Keycode of a key; 0 for other events. */
  keycode: number;
}

/** Properties of the keyboard that bindings need. */
export interface BindableKeys {
  /** Returns the state bit of a modifier that a key with this keysym sets; 0 if there is none. */
  modifierBit(keysym: number): number;
  /** Whether the key has this keysym in some state, with selecting modifiers outside `fixed` only. */
  canMean(keycode: number, state: number, keysym: number, fixed: number): boolean;
  /** Returns the key's meaning in this state, and the modifiers that select among its meanings. */
  meaning(keycode: number, state: number): { keysym: number; consumed: number };
}

/** Returns the number of a named atom; undefined until the server has answered. */
export type AtomNamed = (name: string) => number | undefined;

/** The bits of a pattern on one keyboard; undefined when it lacks such a modifier. */
export type ResolvedModifiers = Pick<ModifierPattern, 'mask' | 'held'> | undefined;

/** Resolves modifiers that are named by keysyms to bits. A modifier that the keyboard lacks is never held. */
export function resolveModifiers({ mask, held, byKeysym }: ModifierPattern, keys: BindableKeys): ResolvedModifiers {
  const resolved = { mask, held };
  for (const { keysyms, isHeld } of byKeysym) {
    const bits = keysyms.reduce((all, keysym) => all | keys.modifierBit(keysym), 0);
    if (bits === 0 && isHeld) return undefined;
    resolved.mask |= bits;
    if (isHeld) resolved.held |= bits;
  }
  return resolved;
}

/** Whether an event matches a pattern. */
export function fits(
  pattern: EventPattern,
  modifiers: NonNullable<ResolvedModifiers>,
  event: InputEvent,
  parts: { keys: BindableKeys; atomNamed: AtomNamed },
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
  // The state still contains a button that goes up.
  const compared = mask & ALL_MODIFIERS & ~(pattern.event === 'ButtonRelease' ? buttonBit(event.detail) : 0);
  return (event.state & compared) === (held & compared);
}

function keyFits(
  { isStandard, detail }: EventPattern,
  { mask, held }: NonNullable<ResolvedModifiers>,
  { keycode, state }: InputEvent,
  keys: BindableKeys,
): boolean {
  const compared = mask & ALL_MODIFIERS;
  if (!isStandard) {
    if ((state & compared) !== (held & compared)) return false;
    return typeof detail !== 'number' || keys.canMean(keycode, state, detail, mask);
  }
  const { keysym, consumed } = keys.meaning(keycode, state);
  return (detail ?? keysym) === keysym && (state & ~consumed & compared) === (held & compared);
}
