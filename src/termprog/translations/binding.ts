/** Modifiers a binding may name; the last ones are found by what the keyboard's modifier map says. */
export type ModifierName =
  | 'Shift'
  | 'Lock'
  | 'Ctrl'
  | 'Mod1'
  | 'Mod2'
  | 'Mod3'
  | 'Mod4'
  | 'Mod5'
  | 'Meta'
  | 'Alt'
  | 'Super'
  | 'Hyper'
  | 'Button1'
  | 'Button2'
  | 'Button3'
  | 'Button4'
  | 'Button5'
  | '@Num_Lock';

export type BoundEvent = 'KeyPress' | 'KeyRelease' | 'ButtonPress' | 'ButtonRelease' | 'MotionNotify';

export interface ActionCall {
  action: string;
  parameters: readonly string[];
}

/** One line of a translation table. */
export interface Binding {
  /** Modifiers that must be held, and those that must not be; others do not matter. */
  required: readonly ModifierName[];
  forbidden: readonly ModifierName[];
  /** No modifier but the required ones may be held. */
  isExact: boolean;
  event: BoundEvent;
  /** Keysym of a key, number of a button; undefined for any. */
  detail: number | undefined;
  calls: readonly ActionCall[];
}
