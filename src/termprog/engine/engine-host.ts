import type { ShellMark } from './shell-mark.ts';

/**
 * The parts of the terminal outside the engine that control functions use. Each group is implemented in its own place
 * near the window; a function names only the groups it needs.
 */

export interface WindowMetrics {
  /** Pixels of one cell, and of the text area, which consists of cells only, without padding. */
  cell: { width: number; height: number };
  area: { width: number; height: number };
  /** Pixels of the window with its padding, and with the space that is left beside the last whole cells. */
  window: { width: number; height: number };
}

export type LabelKind = 'title' | 'iconName';

/** Operations of applications that resources permit or refuse. @spec termprog#terminal-widget-resources-termvt100 */
export type Operation =
  | 'SetTitle'
  | 'GetIconTitle'
  | 'GetWinTitle'
  | 'PushTitle'
  | 'PopTitle'
  | 'GetWinSizePixels'
  | 'GetWinSizeChars'
  | 'GetScreenSizeChars'
  | 'GetChecksum'
  | 'GetSelection'
  | 'SetSelection'
  | 'SetColor'
  | 'GetColor'
  | 'GetAnsiColor'
  | 'GetTcap'
  | 'Notify'
  | 'MouseReport';

/** A cut buffer of the X server; ICCCM 2.6.1.1. */
export type CutBuffer = `CUT_BUFFER${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;

/**
 * The places where OSC 52 writes and reads. SELECT stands for PRIMARY, or for CLIPBOARD if the configuration says so.
 */
export type SelectionTarget = 'SELECT' | 'PRIMARY' | 'SECONDARY' | 'CLIPBOARD' | CutBuffer;

/** Why a text of OSC 52 is not written: applications may not, or it is longer than the bound. */
export type WriteRefusal = 'permission' | 'length';

export interface SelectionHost {
  /** The longest payload of OSC 52, in bytes of base64. @spec termprog#terminal-widget-resources-termvt100 maxStringParse */
  maxPayload(): number;
  /** Fills the targets with text as UTF-8; undefined empties them. */
  write(targets: readonly SelectionTarget[], text: Uint8Array | undefined): void;
  /** Reports that the application wanted to fill a selection and was refused. */
  writeRefused(why: WriteRefusal): void;
  /** Passes on the text of the first target that has one, later and once; undefined if no target has text. */
  read(targets: readonly SelectionTarget[], answer: (text: Uint8Array | undefined) => void): void;
}

/**
 * Colours other than palette entries and special ones, by the last digits of the commands that set them, OSC 10 to 19.
 */
export const DYNAMIC_COLORS = [
  'foreground',
  'background',
  'cursor',
  'pointerForeground',
  'pointerBackground',
  'tektronixForeground',
  'tektronixBackground',
  'highlightBackground',
  'tektronixCursor',
  'highlightForeground',
] as const;

export type DynamicColor = (typeof DYNAMIC_COLORS)[number];

/** Colours for attributes, by their numbers in OSC 5. */
export const SPECIAL_COLORS = ['bold', 'underline', 'blink', 'reverse', 'italic'] as const;

/** A colour that applications can change: an entry of the palette, or one with a name. */
export type ColorTarget = number | DynamicColor | (typeof SPECIAL_COLORS)[number];

export interface ColorHost {
  /** Changes a colour to the one that a text names, in any form that X knows; an unknown name has no effect. */
  set(target: ColorTarget, spec: string): void;
  /** Restores the configured colour. */
  reset(target: ColorTarget): void;
  /** Restores all configured colours. */
  resetAll(): void;
  /**
   * Sends the answer that `answer` makes from a colour, in order with other answers; `rgb` has the form
   * `rgb:rrrr/gggg/bbbb`.
   */
  report(target: ColorTarget, answer: (rgb: string) => string): void;
  /** Returns whether the background is darker than the text. */
  isDark(): boolean;
}

export interface Notification {
  title: string;
  body: string;
}

/** The range that the application lets the mouse highlight after a press; cells count from 0. Mode 1001 */
export interface HighlightRequest {
  /** The cell where it begins. */
  column: number;
  row: number;
  /** The rows in which its end stays. */
  firstRow: number;
  lastRow: number;
}

export interface EngineHost {
  readonly selections: SelectionHost;
  readonly colors: ColorHost;
  /** Sends input to the application: text as UTF-8, or bytes as they are. */
  reply(answer: string | Uint8Array): void;
  bell(): void;
  /** Returns whether the bell of a new terminal asks for attention; mode 1042. */
  bellIsUrgent(): boolean;
  /** Returns whether scrolling sends cursor keys to the alternate screen of a new terminal; mode 1007. */
  alternateScroll(): boolean;
  /** Reports that a shell marked the beginning or end of a command, or its prompt for one; on the main screen only. */
  shellMarked(mark: Pick<ShellMark, 'kind' | 'exitStatus'>): void;
  /** Returns the answer to ENQ. */
  answerback(): string | Uint8Array;
  /** Returns whether the configuration now lets applications do this. */
  permits(operation: Operation): boolean;
  setLabel(kind: LabelKind, text: string): void;
  /** Returns the label that was last set. */
  label(kind: LabelKind): string;
  metrics(): WindowMetrics;
  /**
   * Reports that the application has ended a synchronized change of the screen, maybe in the middle of its output; mode
   * 2026.
   */
  changeCompleted(): void;
  /** Takes the application's answer to a press of the mouse; undefined to highlight no text. */
  highlight(request: HighlightRequest | undefined): void;
  /** Shows a message on the user's desktop. */
  notify(notification: Notification): void;
  /** Reports that a control function failed because of a bug of this program; a part of its work may be done. */
  failed(name: string, error: unknown): void;
}
