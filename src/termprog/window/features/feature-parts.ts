import type { Diagnostics } from '../../diagnostics.ts';
import type { TerminalEngine } from '../../engine/terminal-engine.ts';
import type { ComposeSystem } from '../../input/compose/compose-files.ts';
import type { Keymap } from '../../input/keymap.ts';
import type { LiveOptions } from '../../options/live-options.ts';
import type { BellPort } from '../../ports/bell.ts';
import type { FontPort } from '../../ports/fonts.ts';
import type { TextInput } from '../../ports/text-input.ts';
import type { TitlePort } from '../../ports/titles.ts';
import type { Child } from '../../pty/child.ts';
import type { PixelValues } from '../../render/pixel-values.ts';
import type { Selections } from '../../selection/selections.ts';
import type { XConnection } from '../../x11/connection.ts';
import type { ResourceLookup } from '../../xresource/lookup.ts';
import type { CellGrid } from '../cell-grid.ts';
import type { EventMask } from '../event-mask.ts';
import type { EventRouter } from '../event-router.ts';
import type { Focus } from '../focus.ts';
import type { LoadedColors } from '../live-colors.ts';
import type { ShownLines } from '../shown-lines.ts';
import type { Viewport } from '../viewport.ts';

/** What a feature of the window, such as the mouse or the menus, is made of. */
export interface FeatureParts {
  connection: XConnection;
  router: EventRouter;
  /** The terminal's own. */
  window: number;
  /** Asks the server for more events of the window. */
  eventMask: EventMask;
  /** Whether keys go to the window. */
  focus: Focus;
  engine: TerminalEngine;
  viewport: Viewport;
  grid: Pick<CellGrid, 'cellAt' | 'textPixelAt' | 'metrics' | 'size' | 'setInset' | 'watchSize'>;
  /** The colours the window started with. */
  colors: LoadedColors;
  pixels: PixelValues;
  /** Takes decorators of lines. */
  lines: ShownLines;
  options: LiveOptions;
  /** Resources of widgets, such as menus and the scrollbar. */
  resources: ResourceLookup;
  selections: Selections;
  fonts: FontPort;
  /** The environment the terminal was started with. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Name of the locale of its texts, such as `C.UTF-8`. */
  locale: string;
  bell: BellPort;
  titles: TitlePort;
  /** The pixels of the window have alpha. */
  hasAlpha: boolean;
  diagnostics: Diagnostics;
  /** The keyboard's mapping as it is now. */
  keymap(): Keymap;
  /** Where sequences of keys are looked for. */
  composeSystem: ComposeSystem;
  /** The way of text that is not one key's; a search takes it, an input method gives it. */
  textInput: TextInput;
  /** Takes long texts that are pasted. */
  child: Pick<Child, 'writeWhole'>;
  hostName: string;
  /** What programs are told that the terminal starts. */
  childEnvironment(): Readonly<Record<string, string>>;
  /** Input for the child, as if typed. */
  send(input: string | Uint8Array): void;
  /** Whether there is anything to see of the window. */
  isVisible(): boolean;
  /** All rows are compared with what the window shows. */
  redraw(): void;
  /** Paints all of the window anew. */
  repaint(): void;
  /** Closes the window, as its user would. */
  quit(): void;
  nowMs(): number;
}
