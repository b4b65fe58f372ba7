/** The key or button event an action answers. */
export interface ActionEvent {
  kind: 'key' | 'button' | 'motion';
  /** Keysym of a key with the modifiers held; 0 for other events. */
  keysym: number;
  /** Modifiers and buttons held, as the X server tells them. */
  state: number;
}

/** What an action may ask of the live window. */
export interface TerminalPort {
  /** Rows of the screen. */
  readonly rows: number;
  /** Moves the view towards older lines, or newer ones when negative; it stops at either end. */
  scrollBy(lines: number): void;
  /** Sends the key of the event to the application. */
  sendKey(event: ActionEvent): void;
  bell(): void;
}

/** One action; `parameters` are as the translation writes them. @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget */
export interface Action {
  name: string;
  run(port: TerminalPort, event: ActionEvent, parameters: readonly string[]): void;
}
