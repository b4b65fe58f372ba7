import type { Diagnostics } from '../../diagnostics.ts';
import type { TerminalEngine } from '../../engine/terminal-engine.ts';
import type { ComposeSystem } from '../../input/compose/compose-files.ts';
import type { Keymap } from '../../input/keymap.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { BellPort, FontPort, TitlePort } from '../../ports/appearance.ts';
import type { TextInput } from '../../ports/text-input.ts';
import type { PixelValues } from '../../render/pixel-values.ts';
import type { Selections } from '../../selection/selections.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';
import type { CellGrid } from '../desktop/cell-grid.ts';
import type { EventMask } from '../desktop/event-mask.ts';
import type { EventRouter } from '../desktop/event-router.ts';
import type { Focus } from '../desktop/focus.ts';
import type { LoadedColors } from '../frame/live-colors.ts';
import type { ShownLines } from '../frame/shown-lines.ts';
import type { Viewport } from '../frame/viewport.ts';

/** The parts of the window that features, such as the mouse or the menus, are built from. */
export interface FeatureParts {
  connection: XConnection;
  router: EventRouter;
  /** The terminal's own window. */
  window: number;
  /** Selects further events of the window at the server. */
  eventMask: EventMask;
  /** Whether keys go to the window. */
  focus: Focus;
  engine: TerminalEngine;
  viewport: Viewport;
  grid: Pick<CellGrid, 'cellAt' | 'textPixelAt' | 'metrics' | 'size' | 'setInset' | 'watchSize'>;
  /** The colours at the start. */
  colors: LoadedColors;
  pixels: PixelValues;
  /** Registers decorators of lines. */
  lines: ShownLines;
  options: LiveOptions;
  /** Resources of widgets, such as menus and the scrollbar. */
  resources: ResourceLookup;
  selections: Selections;
  fonts: FontPort;
  /** The environment of this program at its start. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Name of the locale of the program's texts, such as `C.UTF-8`. */
  locale: string;
  bell: BellPort;
  titles: TitlePort;
  /** Whether the window's pixels have alpha. */
  hasAlpha: boolean;
  diagnostics: Diagnostics;
  /** The keyboard's mapping as it is now. */
  keymap(): Keymap;
  /** Reads the files with key sequences. */
  composeSystem: ComposeSystem;
  /** Routes text that does not come from a single key: an open search receives it, an input method sends it. */
  textInput: TextInput;
  hostName: string;
  /** Environment of the programs that the terminal starts. */
  childEnvironment(): Readonly<Record<string, string>>;
  /** Sends input to the child, as if typed. */
  send(input: string | Uint8Array): void;
  /** Sends a text of any length: what the child can't take yet waits. */
  sendWhole(bytes: Uint8Array): void;
  /** Whether any part of the window is visible. */
  isVisible(): boolean;
  /** Compares all rows with the window's content. */
  redraw(): void;
  /** Repaints the whole window. */
  repaint(): void;
  /** Closes the window, as its user would. */
  quit(): void;
  nowMs(): number;
}
