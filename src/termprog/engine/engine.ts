/** The terminal's state machine behind an interface, so that another implementation can take its place. */

/** Bits of a cell's `attributes`. */
export const ATTRIBUTE = {
  bold: 1 << 0,
  dim: 1 << 1,
  italic: 1 << 2,
  underline: 1 << 3,
  blink: 1 << 4,
  inverse: 1 << 5,
  invisible: 1 << 6,
  strikethrough: 1 << 7,
  overline: 1 << 8,
  /** First cell of a character two cells wide. */
  wide: 1 << 9,
  /** Second cell of such a character; it holds no character. */
  continuation: 1 << 10,
} as const;

/** Kinds of a cell's colour in bits 24 and 25, 0 for the default; below them the palette index, or red, green and blue. */
export const COLOR_INDEXED = 1 << 24;
export const COLOR_RGB = 2 << 24;
export const COLOR_KIND_MASK = 3 << 24;

/** Set in `codes` where a cell holds more than one code point; the whole text is in `clusters`. */
export const CLUSTER = 0x8000_0000;

/** Cells of one row, as parallel arrays of the row's length. */
export interface Row {
  /** Code points; 0 and a blank look the same. */
  codes: Uint32Array;
  foregrounds: Uint32Array;
  backgrounds: Uint32Array;
  attributes: Uint16Array;
  /** Column -> text of its cluster. */
  clusters: Map<number, string>;
}

/** Modes that actions and menus change. @spec termprog#popup-menus */
export type Mode =
  | 'applicationCursorKeys'
  | 'applicationKeypad'
  | 'autoWraparound'
  | 'reverseWraparound'
  | 'autoLinefeed';

export type CursorShape = 'block' | 'underline' | 'bar';

export interface Cursor {
  column: number;
  row: number;
  isVisible: boolean;
  shape: CursorShape;
}

/** What the engine tells while it parses. */
export interface EngineListener {
  /** Answer to the application: device attributes, status reports. */
  onReply(text: string): void;
  onTitle(title: string): void;
  onIconName(name: string): void;
  onBell(): void;
  /** The application asked for the answerback text (ENQ). */
  onEnquiry(): void;
}

/** Rows of the live screen that changed since they were last taken, both included; undefined when none. */
export interface Damage {
  first: number;
  last: number;
}

/** Bytes in, screen and replies out. */
export interface Engine {
  readonly columns: number;
  readonly rows: number;
  /** Lines above the live screen; 0 on the alternate screen. */
  readonly historyLines: number;
  readonly cursor: Cursor;
  readonly modes: {
    applicationCursorKeys: boolean;
    applicationKeypad: boolean;
    bracketedPaste: boolean;
    synchronizedOutput: boolean;
  };
  /** Parses output of the child at once; a character or sequence may be split over calls. */
  write(bytes: Uint8Array): void;
  resize(columns: number, rows: number): void;
  setMode(mode: Mode, isOn: boolean): void;
  softReset(): void;
  fullReset(): void;
  takeDamage(): Damage | undefined;
  /** Copies a line into `target`; line 0 is the first of the live screen, negative ones are history. */
  readRow(line: number, target: Row): void;
}

export function createRow(columns: number): Row {
  return {
    codes: new Uint32Array(columns),
    foregrounds: new Uint32Array(columns),
    backgrounds: new Uint32Array(columns),
    attributes: new Uint16Array(columns),
    clusters: new Map(),
  };
}
