import type { CursorShape } from '../engine/cursor.ts';
import type { GridSize } from '../engine/grid.ts';
import type { TerminalIdentity } from '../engine/terminal-state.ts';
import type { Keymap } from '../input/keymap.ts';
import type { FontRoutingPort } from '../ports/appearance.ts';
import type { Child, ChildEnd } from '../pty/child.ts';
import type { Painter } from '../render/painter.ts';
import type { PixelValues } from '../render/pixel-values.ts';
import type { CellSize } from '../render/rectangle.ts';
import type { Selections } from '../selection/selections.ts';
import type { XConnection } from '../x11/x-connection.ts';
import type { SideInset } from './desktop/cell-grid.ts';
import type { EventRouter } from './desktop/event-router.ts';
import type { WindowAtoms } from './desktop/window-atoms.ts';
import type { LoadedSlot } from './fonts/loaded-slot.ts';
import type { SlotLoader } from './fonts/slot-loader.ts';
import type { LoadedColors } from './frame/live-colors.ts';
import type { InputFilter } from './input/input-pipeline.ts';
import type { TerminalContext } from './terminal-context.ts';

/** The parts of a window. */
export interface TerminalParts
  extends Pick<
    TerminalContext,
    'composeSystem' | 'options' | 'resources' | 'environment' | 'locale' | 'diagnostics' | 'hostName'
  > {
  connection: XConnection;
  router: EventRouter;
  window: number;
  atoms: WindowAtoms;
  selections: Selections;
  painter: Painter;
  loader: SlotLoader;
  /** The fonts at the start. */
  slot: LoadedSlot;
  child: Child;
  /** The keyboard's mapping, which may still be loading. */
  keymap: Promise<Keymap>;
  colors: LoadedColors;
  pixels: PixelValues;
  backgroundPixel: number;
  /** Whether the window's pixels have alpha. */
  hasAlpha: boolean;
  fontRouting: FontRoutingPort;
  /** Environment of the programs that the terminal starts. */
  childEnvironment(): Readonly<Record<string, string>>;
}

export interface TerminalBehavior {
  size: GridSize;
  internalBorder: number;
  /** The scrollbar's part of the width at the start. */
  inset: SideInset;
  saveLines: number;
  cursorShape: CursorShape;
  translations: string | undefined;
  labels: { title: string; iconName: string };
  /** The terminal's name and version in its answers to applications. */
  identity: TerminalIdentity;
  isUtf8Locale: boolean;
  /** Filters that see keys and buttons before the translations, in order. */
  inputFilters: readonly InputFilter[];
  /** Monotonic clock. */
  nowMs(): number;
  /** The user closed the window, or another program destroyed it. */
  onClose(): void;
  /** The child ended, and its last screen need not stay. */
  onChildEnd(end: ChildEnd): void;
  /** Called once, when the first cells are on their way to the screen. */
  onFirstFrame(): void;
  /** The grid or its cell has changed: updates the size hints for window managers. */
  announceSizes(sizes: { size: GridSize; cell: CellSize; scrollbarWidth: number }): void;
  /** Sets or clears the urgency hint for window managers. */
  announceUrgency(isUrgent: boolean): void;
}
