/** Events that can be bound, by the connection's names. */
export type BoundEvent =
  | 'KeyPress'
  | 'KeyRelease'
  | 'ButtonPress'
  | 'ButtonRelease'
  | 'MotionNotify'
  | 'EnterNotify'
  | 'LeaveNotify'
  | 'FocusIn'
  | 'FocusOut'
  | 'KeymapNotify'
  | 'Expose'
  | 'GraphicsExposure'
  | 'NoExposure'
  | 'VisibilityNotify'
  | 'CreateNotify'
  | 'DestroyNotify'
  | 'UnmapNotify'
  | 'MapNotify'
  | 'MapRequest'
  | 'ReparentNotify'
  | 'ConfigureNotify'
  | 'ConfigureRequest'
  | 'GravityNotify'
  | 'ResizeRequest'
  | 'CirculateNotify'
  | 'CirculateRequest'
  | 'PropertyNotify'
  | 'SelectionClear'
  | 'SelectionRequest'
  | 'SelectionNotify'
  | 'ColormapNotify'
  | 'ClientMessage'
  | 'MappingNotify';

/** A modifier whose bit depends on the keyboard: that of the keys with these keysyms. */
export interface KeysymModifier {
  keysyms: readonly number[];
  isHeld: boolean;
}

/** The modifiers that an event must have. */
export interface ModifierPattern {
  /** Bits of the state that are compared. */
  mask: number;
  /** Compared bits that must be set; the others must not be. */
  held: number;
  byKeysym: readonly KeysymModifier[];
}

/** One event of a binding. */
export interface EventPattern extends ModifierPattern {
  event: BoundEvent;
  /** Keysym of a key, number of a button, a mode, or the name of an atom; undefined for any. */
  detail: number | string | undefined;
  /** Whether the key must mean `detail` with the held modifiers; otherwise with any that the pattern does not name. */
  isStandard: boolean;
  /** Whether at least one button must be held. */
  needsButton: boolean;
}

/** State bits of modifiers and buttons; X11 protocol, KEYBUTMASK. */
export const MODIFIER_BITS = {
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

/** All modifiers and buttons, without the group of the keyboard. */
export const ALL_MODIFIERS = 0x1fff;

export const BUTTON_BITS = 0x1f00;

/** Returns the state bit of a button; 0 for those beyond the fifth, which have no bit. */
export function buttonBit(button: number): number {
  return button >= 1 && button <= 5 ? MODIFIER_BITS.Button1 << (button - 1) : 0;
}
