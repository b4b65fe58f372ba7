import type { Diagnostics } from '../diagnostics.ts';
import type { CursorShape } from '../engine/cursor.ts';
import type { TerminalIdentity } from '../engine/terminal-state.ts';
import type { ComposeSystem } from '../input/compose/compose-files.ts';
import type { Keymap } from '../input/keymap.ts';
import type { LiveOptions } from '../options/live-options.ts';
import type { FontRoutingPort } from '../ports/font-routing.ts';
import type { Child, ChildEnd } from '../pty/child.ts';
import type { Painter } from '../render/painter.ts';
import type { PixelValues } from '../render/pixel-values.ts';
import type { CellSize } from '../render/rectangle.ts';
import type { Selections } from '../selection/selections.ts';
import type { XConnection } from '../x11/connection.ts';
import type { ResourceLookup } from '../xresource/lookup.ts';
import type { SideInset } from './cell-grid.ts';
import type { EventRouter } from './event-router.ts';
import type { GridSize } from './fit-geometry.ts';
import type { LoadedSlot } from './fonts/loaded-slot.ts';
import type { SlotLoader } from './fonts/slot-loader.ts';
import type { InputFilter } from './input-pipeline.ts';
import type { LoadedColors } from './live-colors.ts';
import type { WindowAtoms } from './window-atoms.ts';

/** The parts of a window. */
export interface TerminalParts {
  connection: XConnection;
  router: EventRouter;
  window: number;
  atoms: WindowAtoms;
  selections: Selections;
  painter: Painter;
  loader: SlotLoader;
  /** The fonts it starts with. */
  slot: LoadedSlot;
  child: Child;
  /** The keyboard's mapping, which may still be under way. */
  keymap: Promise<Keymap>;
  /** Where sequences of keys are looked for. */
  composeSystem: ComposeSystem;
  colors: LoadedColors;
  pixels: PixelValues;
  backgroundPixel: number;
  /** The pixels of the window have alpha. */
  hasAlpha: boolean;
  options: LiveOptions;
  /** Resources of widgets, such as menus and the scrollbar. */
  resources: ResourceLookup;
  fontRouting: FontRoutingPort;
  /** The environment the terminal was started with. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Name of the locale of its texts, such as `C.UTF-8`. */
  locale: string;
  diagnostics: Diagnostics;
  hostName: string;
  /** What programs are told that the terminal starts. */
  childEnvironment(): Readonly<Record<string, string>>;
}

export interface TerminalBehavior {
  size: GridSize;
  internalBorder: number;
  /** What the scrollbar takes of the width at first. */
  inset: SideInset;
  saveLines: number;
  cursorShape: CursorShape;
  translations: string | undefined;
  labels: { title: string; iconName: string };
  /** What the terminal calls itself. */
  identity: TerminalIdentity;
  isUtf8Locale: boolean;
  /** Filters that see keys and buttons before the translations, in order. */
  inputFilters: readonly InputFilter[];
  /** Monotonic. */
  nowMs(): number;
  /** The user closed the window, or somebody else destroyed it. */
  onClose(): void;
  /** The child ended, and its last screen need not stay. */
  onChildEnd(end: ChildEnd): void;
  /** Once, when the first cells are on their way to the screen. */
  onFirstFrame(): void;
  /** The grid or its cell has changed: tells window managers. */
  tellSizes(sizes: { size: GridSize; cell: CellSize; scrollbarWidth: number }): void;
  /** The window wants to be looked at, or no longer: tells window managers. */
  tellUrgency(isUrgent: boolean): void;
}
