/** The key or button event an action answers. */
export interface ActionEvent {
  kind: 'key' | 'button' | 'motion';
  /** Keysym of a key with the modifiers held; 0 for other events. */
  keysym: number;
  /** Modifiers and buttons held, as the X server tells them. */
  state: number;
}
