/** The event that runs an action. */
export interface ActionEvent {
  /** `other` for events such as FocusIn, which have neither key nor button, and for releases of keys. */
  kind: 'key' | 'press' | 'release' | 'motion' | 'other';
  /** Keysym of a key with the held modifiers; 0 for other events. */
  keysym: number;
  /** Keycode of a key; 0 for other events. */
  keycode: number;
  /** Number of the button that changed; 0 for other events. */
  button: number;
  /** Modifiers and buttons held just before the event, as reported by the X server. */
  state: number;
  /** The pointer's place in the window, in pixels; it may be outside while a button is held. */
  x: number;
  y: number;
  /** Server time in milliseconds; it restarts at 0 after 49 days. */
  time: number;
}
