import type { ShellMark } from './shell-mark.ts';

/**
 * The parts of the terminal outside the engine that control functions use. Each group is implemented beside the window;
 * a function names only the groups it needs.
 */

export interface CellMetrics {
  /** Pixels of one cell, and of the text area: cells only, without padding. */
  cell: { width: number; height: number };
  area: { width: number; height: number };
  /** Pixels of the window with its padding, and with what is left beside the last whole cells. */
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

/** Where OSC 52 writes and reads. SELECT stands for PRIMARY, or for CLIPBOARD where the configuration says so. */
export type SelectionTarget = 'SELECT' | 'PRIMARY' | 'SECONDARY' | 'CLIPBOARD' | CutBuffer;

/** Why a text of OSC 52 is written nowhere: applications may not, or it is longer than the bound. */
export type WriteRefusal = 'permission' | 'length';

export interface SelectionPort {
  /** The longest payload of OSC 52, in bytes of base64. @spec termprog#terminal-widget-resources-termvt100 maxStringParse */
  maxPayload(): number;
  /** Fills the targets with text as UTF-8; undefined empties them. */
  write(targets: readonly SelectionTarget[], text: Uint8Array | undefined): void;
  /** The application wanted to fill a selection, and nothing was done. */
  writeRefused(why: WriteRefusal): void;
  /** Gives the text of the first target that has one, later and once; undefined when none has. */
  read(targets: readonly SelectionTarget[], answer: (text: Uint8Array | undefined) => void): void;
}

/** Colours that are neither palette entries nor special, by the last digits of the commands that set them, OSC 10 to 19. */
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

/** A colour that applications change: an entry of the palette, or one with a name. */
export type ColorTarget = number | DynamicColor | (typeof SPECIAL_COLORS)[number];

export interface ColorPort {
  /** Changes a colour to what a text names, in any form that X knows; nothing happens when it names none. */
  set(target: ColorTarget, spec: string): void;
  /** Back to the configured colour. */
  reset(target: ColorTarget): void;
  /** The same for all colours. */
  resetAll(): void;
  /** Sends what `answer` makes of a colour, in order with other answers; `rgb` has the form `rgb:rrrr/gggg/bbbb`. */
  report(target: ColorTarget, answer: (rgb: string) => string): void;
  /** Whether the background is darker than the text. */
  isDark(): boolean;
}

export interface Notification {
  title: string;
  body: string;
}

/** What the application lets the mouse highlight after a press; cells from 0. Mode 1001 */
export interface HighlightRequest {
  /** Where it begins. */
  column: number;
  row: number;
  /** Its end stays in these rows. */
  firstRow: number;
  lastRow: number;
}

export interface EngineHost {
  readonly selections: SelectionPort;
  readonly colors: ColorPort;
  /** Input for the application: text as UTF-8, or bytes as they are. */
  reply(answer: string | Uint8Array): void;
  bell(): void;
  /** Whether the bell of a new terminal asks for attention; mode 1042. */
  bellIsUrgent(): boolean;
  /** Whether scrolling sends cursor keys to the alternate screen of a new terminal; mode 1007. */
  alternateScroll(): boolean;
  /** A shell marked where a command begins, ends, or is asked for; on the main screen only. */
  shellMarked(mark: Pick<ShellMark, 'kind' | 'exitStatus'>): void;
  /** The answer to ENQ. */
  answerback(): string | Uint8Array;
  /** Whether the configuration lets applications do this now. */
  permits(operation: Operation): boolean;
  setLabel(kind: LabelKind, text: string): void;
  /** The label that was last set. */
  label(kind: LabelKind): string;
  metrics(): CellMetrics;
  /** The application has ended a synchronized change of the screen, maybe in the middle of its output; mode 2026. */
  changeCompleted(): void;
  /** The application answers a press of the mouse; undefined for nothing to highlight. */
  highlight(request: HighlightRequest | undefined): void;
  /** Shows a message on the user's desktop. */
  notify(notification: Notification): void;
  /** A control function failed by a bug of this program; it may have done a part of its work. */
  failed(name: string, error: unknown): void;
}
