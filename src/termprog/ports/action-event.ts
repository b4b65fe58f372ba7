/** The event an action answers. */
export interface ActionEvent {
  /** `other` for events such as FocusIn, which have neither key nor button, and for releases of keys. */
  kind: 'key' | 'press' | 'release' | 'motion' | 'other';
  /** Keysym of a key with the modifiers held; 0 for other events. */
  keysym: number;
  /** Of a key; 0 for other events. */
  keycode: number;
  /** Number of the button that changed; 0 for other events. */
  button: number;
  /** Modifiers and buttons held just before the event, as the X server tells them. */
  state: number;
  /** The pointer's place in the window, in pixels; it may be outside of it while a button is held. */
  x: number;
  y: number;
  /** The server's time, in milliseconds; it starts again at 0 after 49 days. */
  time: number;
}
