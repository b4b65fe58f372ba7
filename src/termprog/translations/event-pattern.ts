/** Events that can be bound, by the names that the connection gives them. */
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

/** A modifier whose bit is known only with the keyboard: that of the keys with these keysyms. */
export interface KeysymModifier {
  keysyms: readonly number[];
  isHeld: boolean;
}

/** Which modifiers an event has. */
export interface ModifierPattern {
  /** Bits of the state that matter. */
  mask: number;
  /** Those of them that are set; the others are not. */
  held: number;
  byKeysym: readonly KeysymModifier[];
}

/** One event of a binding. */
export interface EventPattern extends ModifierPattern {
  event: BoundEvent;
  /** Keysym of a key, number of a button, a mode, or the name of an atom; undefined for any. */
  detail: number | string | undefined;
  /** The key means `detail` with the modifiers that are held; else with any that the pattern does not name. */
  isStandard: boolean;
  /** At least one button is held. */
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

/** Every modifier and button; the group of the keyboard is not among them. */
export const ALL_MODIFIERS = 0x1fff;

export const BUTTON_BITS = 0x1f00;

/** The state bit of a button; 0 for those beyond the fifth, which have none. */
export function buttonBit(button: number): number {
  return button >= 1 && button <= 5 ? MODIFIER_BITS.Button1 << (button - 1) : 0;
}
